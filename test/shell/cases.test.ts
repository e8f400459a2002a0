import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import type { CommandClass } from '../../src/model/families.js';
import { classifyCommand } from '../../src/shell/index.js';
import { mayReachEngine } from '../../src/shell/quick.js';

const { identity } = codegraphProfile;

/** One command a line; ⏎ stands for a line break inside a command. */
function cases(label: CommandClass): string[] {
  const text = readFileSync(new URL(`../fixtures/shell/${label}.txt`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.replaceAll('⏎', '\n'));
}

describe.each<CommandClass>(['invoke', 'data', 'mention'])('our own %s commands', (label) => {
  it.each(cases(label))('%s', (command) => {
    const judged = classifyCommand(command, identity);
    expect(judged.class, judged.reason).toBe(label);
    if (label !== 'mention') expect(mayReachEngine(command, identity)).toBe(true);
  });
});

describe('what only the place can tell', () => {
  const at = (files: Record<string, string>, links: Record<string, string> = {}) => ({
    cwd: '/ws',
    readScript: (path: string) => files[path],
    realpath: (path: string) => links[path],
  });
  const judge = (command: string, context: ReturnType<typeof at>) => classifyCommand(command, identity, context).class;

  it('reads the scripts that a command names', () => {
    const context = at({
      '/ws/go.sh': 'set -e\ncodegraph status\n',
      '/ws/safe.sh': 'echo codegraph\n',
      '/ws/tool.py': 'import subprocess\nsubprocess.run(["codegraph", "status"])\n',
      '/ws/read.mjs': "import { DatabaseSync } from 'node:sqlite';\nnew DatabaseSync('.codegraph/codegraph.db');\n",
      '/ws/package.json': '{"scripts":{"pretest":"codegraph sync","test":"vitest","lint":"eslint codegraph"}}',
    });
    expect(judge('bash go.sh', context)).toBe('invoke');
    expect(judge('./go.sh --fast', context)).toBe('invoke');
    expect(judge('cat go.sh', context)).toBe('mention');
    expect(judge('sh safe.sh', context)).toBe('mention');
    expect(judge('python3 tool.py', context)).toBe('invoke');
    expect(judge('node read.mjs', context)).toBe('data');
    expect(judge('npm test', context)).toBe('invoke');
    expect(judge('npm run lint', context)).toBe('mention');
  });

  it('follows links that earlier calls made', () => {
    const links = {
      '/tmp/g': '/opt/lib/node_modules/@colbymchenry/codegraph/npm-shim.js',
      '/tmp/l.db': '/ws/.codegraph/codegraph.db',
      '/tmp/notes': '/ws/notes.txt',
    };
    expect(judge('/tmp/g status', at({}, links))).toBe('invoke');
    expect(judge('sqlite3 /tmp/l.db .tables', at({}, links))).toBe('data');
    expect(judge('cat /tmp/notes', at({}, links))).toBe('mention');
  });

  it('knows the index folder as working folder', () => {
    const inside = { cwd: '/ws/.codegraph' };
    expect(classifyCommand('cat daemon.log', identity, inside).class).toBe('mention');
    expect(classifyCommand('nc -U daemon.sock', identity, inside).class).toBe('data');
    expect(classifyCommand('strings *.db', identity, inside).class).toBe('data');
  });
});

describe('another engine', () => {
  const other = {
    name: 'graphite',
    cliNames: ['gx'],
    packageNames: ['@acme/graphite'],
    entryPaths: ['cli.js'],
    indexFolder: '.graphite',
    indexFiles: ['graphite.sqlite'],
    socketPatterns: [],
    homeFolder: '.graphite',
    environmentPrefix: 'GRAPHITE_',
    indexFolderVariables: [],
  };

  it.each([
    ['gx find foo', 'invoke'],
    ['timeout 5 npx @acme/graphite find foo', 'invoke'],
    ['node node_modules/@acme/graphite/cli.js', 'invoke'],
    ['sqlite3 .graphite/graphite.sqlite .tables', 'data'],
    ['codegraph status', 'mention'],
    ['node cli.js', 'mention'],
    ['grep gx README.md', 'mention'],
  ])('%s → %s', (command, label) => {
    expect(classifyCommand(command, other).class).toBe(label);
  });
});

describe('whatever comes', () => {
  it.each([
    '',
    '   ',
    '$(',
    '"',
    "echo 'x",
    'if; then',
    'case x in',
    '<<EOF',
    '${',
    '((((',
    ')',
    '\\',
    '\0\u{1F600}',
    'f() { f; }; f',
    'while :; do :; done',
    '$('.repeat(3_000),
  ])('is judged without a throw: %j', (command) => {
    expect(classifyCommand(command, identity).class).toBe('mention');
  });

  it('still finds a command in what cannot be parsed, or lies behind much else', () => {
    expect(classifyCommand('if then (; codegraph status', identity).class).toBe('invoke');
    expect(classifyCommand(`${'true;'.repeat(5_000)}codegraph status`, identity).class).toBe('invoke');
  });

  it.each([
    `grep "${'(a+)+'.repeat(10)}$" <<< ${'a'.repeat(60)}b`,
    `x=a; ${'x=$x$x; '.repeat(60)}echo $x`,
    `echo ${'{a,b}'.repeat(40)}`,
    `${'*a'.repeat(60)} status`,
    `for a in {1..9}; do for b in {1..9}; do for c in {1..9}; do for d in {1..9}; do :; done; done; done; done`,
  ])('is judged in time: %s', (command) => {
    const start = performance.now();
    classifyCommand(command, identity);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('the quick check', () => {
  it.each([
    'ls -la src',
    'git status --short',
    'grep -rn "foo|bar" src | head -20',
    "sed -n '1,80p' src/a.ts",
    'cat src/a.ts',
    'find . -name "*.ts" 2>/dev/null | sort | head -50',
    'cd src && ls',
    'ls $DIR/*.ts && test -f "$X"',
    'npx tsc --noEmit 2>&1 | tail -5',
  ])('spares the parser: %s', (command) => {
    expect(mayReachEngine(command, identity)).toBe(false);
  });

  it.each([
    "c''odegraph status",
    'grep -a foo notes.bin',
    'cat .c*/*.db',
    'ls $(cat list)',
    '$DIR/x status',
    'l* -la',
    'cat $FILE',
    './run.sh',
    'npm test',
    'node x.js',
    'cat /proc/12/exe',
    'find . -name x -exec cat {} +',
    'CODEGRAPH_X=1 ls',
    'git -c alias.x=y x',
    'cat notes',
  ])('asks the parser: %s', (command) => {
    expect(mayReachEngine(command, identity)).toBe(true);
  });
});
