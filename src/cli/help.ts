import type { Command } from 'commander';

/** The headings of `agent-eval --help`, with the commands under each. Other commands stand under the last heading. */
export const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  'Start here:': ['init', 'doctor', 'plan', 'demo'],
  'Run experiments:': ['ab', 'with-without', 'bench-readme', 'campaign', 'nightly', 'resume', 'watch'],
  'Read results:': ['report', 'compare', 'compare-arms', 'parse-run', 'parse-session', 'campaigns', 'serve', 'merge'],
  'Check answers:': ['check-tasks', 'grade', 'facts'],
  'Without an agent:': ['probe', 'replay', 'index', 'stress', 'delivery', 'classify', 'selftest'],
  'Housekeeping:': ['clean', 'completion', 'help'],
};

/** Two examples of each command and subcommand, as typed after `agent-eval`. */
export const EXAMPLES: Readonly<Record<string, readonly [string, string]>> = {
  init: [
    'init ../my-service',
    'init ../my-service --prompts "How does a request reach the database?||Where is it retried?" --rehearsal',
  ],
  doctor: ['doctor', 'doctor --rehearsal --build npm:@colbymchenry/codegraph@1.6.1'],
  plan: ['plan --runs 4', 'plan gin --baseline v1.5.0 --detect 10%'],
  demo: ['demo', 'demo --runs 1 --out /tmp/results'],
  ab: ['ab --baseline main', 'ab gin "How does gin route a request?||And when nothing matches?" --baseline v1.5.0'],
  'with-without': [
    'with-without --rehearsal --runs 1',
    'with-without express --build npm:@colbymchenry/codegraph@1.6.1 --runs 4',
  ],
  'bench-readme': ['bench-readme --runs 4 --jobs 2 --max-campaign-usd 120', 'bench-readme --shard 2/5 --out part-2'],
  campaign: ['campaign adaptive --dry-run', 'campaign adaptive --repos gin,okhttp --max-campaign-usd 60'],
  nightly: ['nightly --campaign readme', 'nightly --campaign readme --engine ~/codegraph --ref main --yes'],
  resume: ['resume agent-eval-results/latest', 'resume agent-eval-results/latest --retry infra --max-campaign-usd 50'],
  watch: ['watch agent-eval-results/latest', 'watch /mnt/results/bench-readme-2026-11-30-095004-5d314407'],
  report: ['report agent-eval-results/latest --open', 'report agent-eval-results/latest --markdown'],
  compare: [
    'compare agent-eval-results/ab-monday agent-eval-results/ab-sunday',
    'compare ab-monday ab-sunday --gate costUsd --gate-without-answers',
  ],
  'compare-arms': ['compare-arms logs/gin new baseline', 'compare-arms logs/gin with without --markdown'],
  'parse-run': [
    'parse-run agent-eval-results/latest/express-send/run-new-1.jsonl',
    'parse-run run-new-1.jsonl --timeline',
  ],
  'parse-session': [
    'parse-session ~/.claude/projects/-home-me-gin',
    'parse-session ~/.claude/projects/-home-me-gin --brief',
  ],
  serve: ['serve', 'serve /mnt/results --port 8080'],
  campaigns: ['campaigns', 'campaigns --out /mnt/results --json'],
  merge: ['merge whole part-1/bench-readme-* part-2/bench-readme-*', 'merge whole parts/*/bench-readme-* --json'],
  'check-tasks': ['check-tasks', 'check-tasks --tasks express-send --closed-book 3'],
  grade: ['grade agent-eval-results/latest', 'grade --task express-send --answers answers.jsonl'],
  replay: [
    'replay replay/express.replay.json --build HEAD --against npm:@colbymchenry/codegraph@1.6.1',
    'replay replay --against main --diff express-send-2',
  ],
  'replay accept': [
    'replay accept express-send-2 --because "wetag is no part of the answer"',
    'replay accept express-send-2 --suite express --because "the cut is wanted"',
  ],
  'replay harvest': ['replay harvest agent-eval-results/latest', 'replay harvest logs/gin --repo gin --into suites'],
  'replay bisect': [
    'replay bisect v1.5.0..HEAD replay/gin.replay.json --case gin-routing-1',
    'replay bisect main~40..main replay/gin.replay.json --case gin-routing-1 --json',
  ],
  facts: [
    'facts draft agent-eval-results/latest express-send',
    'facts draft agent-eval-results/latest express-send --accept 1,3',
  ],
  'facts draft': [
    'facts draft agent-eval-results/latest express-send --file facts/express-send.json',
    'facts draft agent-eval-results/latest express-send --json',
  ],
  'grade label': [
    'grade label agent-eval-results/latest',
    'grade label agent-eval-results/latest --limit 20 --task express-send',
  ],
  'index diff': ['index diff npm:@colbymchenry/codegraph@1.6.1 main', 'index diff main --drift 5 --json'],
  index: ['index diff HEAD main --repo gin', 'index diff HEAD --drift 20 --repo ../my-service'],
  stress: [
    'stress replay/express.replay.json',
    'stress replay/express.replay.json --clients 20 --calls 10 --build main',
  ],
  delivery: ['delivery', 'delivery --sizes 16k,64k --limit 100k --json'],
  probe: ['probe express "res.send ETag"', 'probe ../my-service "retry" --build npm:@colbymchenry/codegraph@1.6.1'],
  classify: ['classify "npx codegraph explore x"', 'classify --file commands.txt --json'],
  selftest: ['selftest', 'selftest --json'],
  clean: ['clean --campaigns --older-than 30d', 'clean --caches --max-size 20GB'],
  completion: ['completion bash > ~/.local/share/bash-completion/completions/agent-eval', 'completion fish | source'],
  help: ['help ab', 'help verdicts'],
};

/** Puts the commands under headings, and examples below the help of each command. */
export function arrangeHelp(program: Command): void {
  const headings = Object.keys(HEADINGS);
  for (const command of program.commands) {
    const heading = headings.find((name) => HEADINGS[name]?.includes(command.name())) ?? headings.at(-1);
    if (heading !== undefined) command.helpGroup(heading);
    addExamples(command, command.name());
    for (const part of command.commands) addExamples(part, `${command.name()} ${part.name()}`);
  }
  program.addHelpText(
    'after',
    '\nFirst steps: agent-eval demo, then agent-eval init <your repository>.\nTopics: agent-eval help verdicts · help builds · help exit-codes',
  );
}

function addExamples(command: Command, name: string): void {
  const lines = (EXAMPLES[name] ?? []).map((example) => `  agent-eval ${example}`);
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}
