import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { openSourceFiles } from '../../src/grading/index.js';
import { ok } from '../../src/model/failure.js';
import { resolveGold } from '../../src/replay/gold.js';
import { runSuite } from '../../src/replay/run-suite.js';
import type { ServerPlace } from '../../src/replay/server-place.js';
import { type SuiteInput, suiteSchema } from '../../src/replay/suite-schema.js';

/** What the scripted server does when it is asked a query: once for all sessions, or by session. */
export type Step = string | { error: string } | { die: true } | { hang: true } | { garbage: string };
export interface ServerScript {
  answers: Record<string, Step | Step[]>;
  /** The listed tools, for all sessions or by session. */
  tools?: string[] | string[][];
  instructions?: string;
  readyMs?: number;
}

const SERVER = resolve('test/rig/scripted-mcp.mjs');

/** Files of the repository that the tests ask about: line n of each is `line n`, but for what is given. */
export const REPO: Record<string, string> = {
  'lib/send.js': [
    'function send(body) {',
    '  return type(body);',
    '}',
    '',
    'function etag(body) {',
    '  return 1;',
    '}',
  ].join('\n'),
  'lib/type.js': ['const type = (body) => 1;', 'module.exports = type;'].join('\n'),
  'test/send.test.js': ['it("sends", () => {', '});'].join('\n'),
};

/** A response in the engine's form: a section for each file, with the lines from-to of it. */
export function response(...sections: [path: string, from: number, to: number][]): string {
  const blocks = sections.map(([path, from, to]) => {
    const lines = (REPO[path] ?? 'foreign\n'.repeat(99)).split('\n').slice(from - 1, to);
    const source = lines.map((line, index) => `${from + index}\t${line}`).join('\n');
    return `**\`${path}\`** — send(function)\n\n\`\`\`js\n${source}\n\`\`\`\n`;
  });
  return `**Exploration: it**\n\nFound 2 symbols across ${sections.length} files.\n\n${blocks.join('\n')}`;
}

export function writeRepo(dir: string): string {
  for (const [path, text] of Object.entries(REPO)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

/** A place whose sessions are the scripted server. */
export function scriptedPlace(dir: string, name: string, script: ServerScript): ServerPlace {
  const file = join(dir, `${name}.json`);
  const toolsBySession = Array.isArray(script.tools?.[0]);
  writeFileSync(file, JSON.stringify({ ...script, toolsBySession }));
  return {
    command: () => ({
      argv: [process.execPath, SERVER, file],
      cwd: dir,
      env: { PATH: '/usr/bin:/bin' },
      stderrFile: join(dir, `${name}.err`),
    }),
    socketPath: undefined,
    accountFile: undefined,
    workspace: dir,
    recover: async () => ok(undefined),
    close: async () => [],
  };
}

/** Runs cases against two scripted servers. */
export async function compareScripts(
  dir: string,
  cases: SuiteInput['cases'],
  scripts: { new: ServerScript; baseline: ServerScript },
  {
    bounds = {},
    repeats = 2,
    callMs = 20_000,
  }: { bounds?: SuiteInput['bounds']; repeats?: number; callMs?: number } = {},
) {
  const suite = suiteSchema.parse({ format: 1, name: 'suite', repo: 'repo', bounds, cases });
  const source = await openSourceFiles({ dir: writeRepo(join(dir, 'repo')) });
  const errors: string[] = [];
  const gold = suite.cases.map((one) => resolveGold(one, source, {}, errors));
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const places = {
    new: scriptedPlace(dir, 'new', scripts.new),
    baseline: scriptedPlace(dir, 'baseline', scripts.baseline),
  };
  const limits = { readyMs: 20_000, callMs };
  const done = await runSuite({ suite, gold, places, source, profile: codegraphProfile, repeats, limits });
  if (!done.ok) throw new Error(done.failure.message);
  return done.value;
}
