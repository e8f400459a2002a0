// Latency of the no-cli-shim hook per Bash call, against a bash script that only greps, as a ratio within one run.
// usage: npm run build && npx jiti bench/hook-latency.ts [rounds]

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codegraphProfile } from '../src/engine/codegraph/profile.js';
import { runCommand } from '../src/process/index.js';

const rounds = Number(process.argv[2] ?? 40);
const hook = fileURLToPath(new URL('../dist/hook-bundle/no-cli-shim.js', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'hook-latency-'));
const identityFile = join(dir, 'identity.json');
const script = join(dir, 'grep.sh');
writeFileSync(identityFile, JSON.stringify(codegraphProfile.identity));
// What the bash harness had: a text search over the whole input.
writeFileSync(
  script,
  [
    '#!/bin/bash',
    'input=$(cat)',
    'if grep -q codegraph <<< "$input"; then',
    `  echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'`,
    'fi',
    '',
  ].join('\n'),
);

const commands: [string, string][] = [
  ['unrelated, plain', 'git status --short && ls -la src'],
  ['unrelated, with variables', 'for f in src/*.ts; do wc -l "$f"; done'],
  ['named, denied', 'cd src && codegraph explore "auth flow" | head -50'],
  ['named, passed', 'grep -rn "codegraph status" docs | head'],
];
const programs: [string, [string, ...string[]]][] = [
  ['bash + grep', ['/bin/bash', script]],
  ['node, empty script', [process.execPath, '-e', '']],
  ['hook', [process.execPath, hook, identityFile]],
];

const medians = new Map<string, number>();
try {
  for (const [title, command] of commands) {
    const stdin = JSON.stringify({ tool_name: 'Bash', cwd: dir, tool_input: { command } });
    const times = programs.map(() => [] as number[]);
    // Interleaved, so that a busy moment of the machine falls on all of them.
    for (let round = 0; round < rounds; round++) {
      for (const [at, [, argv]] of programs.entries()) {
        const { durationMs } = await timed(argv, stdin);
        times[at]?.push(durationMs);
      }
    }
    for (const [at, [program]] of programs.entries()) medians.set(`${title}/${program}`, median(times[at] ?? []));
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

console.log(`median of ${rounds} interleaved rounds, ms (ratio to bash + grep)\n`);
console.log(['command'.padEnd(28), ...programs.map(([program]) => program.padStart(20))].join(''));
for (const [title] of commands) {
  const base = medians.get(`${title}/bash + grep`) ?? Number.NaN;
  const cells = programs.map(([program]) => {
    const value = medians.get(`${title}/${program}`) ?? Number.NaN;
    return `${value.toFixed(1)} (×${(value / base).toFixed(1)})`.padStart(20);
  });
  console.log([title.padEnd(28), ...cells].join(''));
}

async function timed(argv: [string, ...string[]], stdin: string): Promise<{ durationMs: number }> {
  const start = performance.now();
  await runCommand({ argv, stdin, deadlineMs: 20_000 });
  return { durationMs: performance.now() - start };
}

function median(values: number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
