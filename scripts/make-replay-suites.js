// Writes corpus/replay/<repo>.replay.json from the facts of the shipped tasks: each prompt as a question, the prompts of a task as one
// session, and each fact's claim as a question. The places of the facts are gold. Run it again after a change of corpus/facts.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TOOL = 'codegraph_explore';
const root = join(import.meta.dirname, '..');
// As in corpus.config.ts.
const EXCLUDE = { okhttp: ['okhttp-hpacktests/src/test/resources/hpack-test-case'] };
const factsFolder = join(root, 'corpus/facts');

for (const file of readdirSync(factsFolder).filter((name) => name.endsWith('.json'))) {
  const { task, repo, commit, prompts, facts } = JSON.parse(readFileSync(join(factsFolder, file), 'utf8'));
  const name = file.replace(/(-send)?\.json$/, '');
  const suite = {
    format: 1,
    name,
    repo: name,
    source: repo.startsWith('npm:')
      ? { npm: `${repo.slice(4)}@${commit}` }
      : { git: `https://github.com/${repo}`, commit },
    exclude: EXCLUDE[name],
    note: `The prompts and facts of the task ${task}, as questions in prose. Gold: the places of its facts.`,
    cases: [
      ...prompts.map((prompt, index) => ({
        id: `prompt-${index + 1}`,
        calls: [call(prompt)],
        gold: gold(facts.filter((fact) => fact.prompt === index)),
      })),
      { id: 'conversation', calls: prompts.map(call), gold: gold(facts) },
      ...facts
        .filter((fact) => (fact.at ?? []).length > 0)
        .map((fact) => ({ id: fact.id, calls: [call(fact.claim)], gold: gold([fact]) })),
    ],
  };
  writeFileSync(join(root, 'corpus/replay', `${name}.replay.json`), `${JSON.stringify(suite, null, 2)}\n`);
}

function call(query) {
  return { tool: TOOL, arguments: { query } };
}

function gold(facts) {
  const places = [...new Set(facts.flatMap((fact) => fact.at ?? []))];
  const files = places.filter((place) => !place.includes(':'));
  const lines = places.filter((place) => place.includes(':'));
  return { ...(files.length > 0 ? { files } : {}), ...(lines.length > 0 ? { lines } : {}) };
}
