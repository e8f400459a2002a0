import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../src/config/index.js';
import { engineFor } from '../../src/engine/index.js';
import { type ServerInput, serverSchema } from '../../src/model/server.js';
import { planCampaign, planHash } from '../../src/plan/index.js';
import { classifyCommand, mayReachEngine } from '../../src/shell/index.js';
import { PAGEBOOK } from '../rig/second-server.js';

const engine = engineFor(serverSchema.parse(PAGEBOOK));
/** No index, no home folder, no variables: nothing that is left out may stand for everything. */
const bare = engineFor(
  serverSchema.parse({ name: 'lens', packages: ['lens-mcp'], entry: 'cli.js', cliNames: ['lens'], serve: ['mcp'] }),
);

const classOf = (command: string, { identity } = engine) =>
  mayReachEngine(command, identity) ? classifyCommand(command, identity).class : 'mention';

function faultsOf(profile: unknown): string[] {
  const checked = checkConfig({ engine: { profile }, repos: {}, tasks: {} }, '/somewhere/corpus.config.ts');
  return checked.ok ? [] : checked.faults.map(({ path, message }) => `${path}: ${message}`);
}

describe('a described server', () => {
  it.each([
    ['pagebook scan .', 'invoke'],
    ['bash -c "pgb mcp ."', 'invoke'],
    ['npx --yes @pages/book@7.8.9 mcp', 'invoke'],
    ['node node_modules/@pages/book/bin/pagebook.mjs scan', 'invoke'],
    ['cat .pagebook/pages.json', 'data'],
    ['jq . .page*/pages.json', 'data'],
    ['grep -n settle .pagebook/pages.json', 'data'],
    ['grep -rn settle lib', 'mention'],
    ['ls -la .pagebook', 'mention'],
    ['grep -rn pagebook README.md', 'mention'],
    ['codegraph explore x', 'mention'],
    ['cat .codegraph/codegraph.db', 'mention'],
  ])('classifies %s as %s', (command, expected) => {
    expect(classOf(command)).toBe(expected);
  });

  it.each(['ls -la', 'cat package.json', 'find . -name "*.js" -not -path "*/node_modules/*"', 'node index.js', 'env'])(
    'without an index or folders leaves %s alone',
    (command) => {
      expect(classOf(command, bare)).toBe('mention');
    },
  );

  it('takes every file of the index folder for the index where none is named', () => {
    const unnamed = engineFor(serverSchema.parse({ ...PAGEBOOK, indexFiles: [] }));
    expect(classOf('cat .pagebook/other.bin', unnamed)).toBe('data');
    expect(classOf('cat .pagebook/a/b.json', unnamed)).toBe('data');
    expect(classOf('cat pagebook/other.json', unnamed)).toBe('mention');
  });

  it('knows its tools by the name of its server', () => {
    expect(engine.isEngineTool('mcp__pagebook__table_of_contents')).toBe(true);
    expect(engine.isEngineTool('mcp__pagebook2__look_up')).toBe(false);
    expect(engine.isExploreTool('mcp__pagebook__look_up')).toBe(true);
    expect(engine.isExploreTool('mcp__pagebook__table_of_contents')).toBe(false);
    expect(bare.isExploreTool('mcp__lens__anything')).toBe(true);
  });

  it('tells an answer from the texts that hold none, and notes the files that it names', () => {
    expect(engine.parseResponse('Nothing stands under "x"')).toMatchObject({ noAnswer: true, isNoMatch: true });
    expect(engine.parseResponse(' \n')).toMatchObject({ noAnswer: true, isNoMatch: false });
    const answer = engine.parseResponse('lib/settle.js: export const settle');
    expect(answer).toMatchObject({ noAnswer: false, sections: [], mentions: ['lib/settle.js'] });
  });

  it('fills its placeholders at any depth', () => {
    const ask = { tool: 'look_up', arguments: { filter: { terms: ['{query}', 'x'] }, limit: 3 } };
    const { runtime } = engineFor(serverSchema.parse({ ...PAGEBOOK, ask }));
    expect(runtime.askCall?.('settle')).toEqual({
      tool: 'look_up',
      arguments: { filter: { terms: ['settle', 'x'] }, limit: 3 },
    });
    expect(runtime.serveArguments('/w')).toEqual(['mcp', '/w']);
    expect(runtime.requiredTools).toEqual(['look_up']);
  });
});

describe('engine.profile in a config', () => {
  it('is a registered name or a description', () => {
    expect(faultsOf('codegraph')).toEqual([]);
    expect(faultsOf(PAGEBOOK)).toEqual([]);
    expect(faultsOf('gitnexus')).toEqual([
      'engine.profile: expected a registered name (codegraph) or the description of a server, got "gitnexus"',
    ]);
  });

  it.each<[Partial<Record<keyof ServerInput | 'explore', unknown>>, RegExp]>([
    [{ name: 'a b' }, /^engine\.profile\.name: needs letters/],
    [{ cliNames: [] }, /^engine\.profile\.cliNames/],
    [{ cliNames: ['bin/x'] }, /^engine\.profile\.cliNames\[0\]: must be the name of a program/],
    [{ entry: '../x.js' }, /^engine\.profile\.entry: must be a path inside the package/],
    [{ indexFolder: undefined }, /^engine\.profile\.indexFolder: name the folder that the index step makes/],
    [{ indexFolder: '..' }, /^engine\.profile\.indexFolder: must be the name of one folder/],
    [{ explore: ['x'] }, /^engine\.profile: Unrecognized key: "explore"/],
  ])('refuses %j', (change, message) => {
    const faults = faultsOf({ ...PAGEBOOK, ...change });
    expect(
      faults.some((fault) => message.test(fault)),
      faults.join('\n'),
    ).toBe(true);
  });
});

describe('the engine in a plan', () => {
  const input = {
    command: 'with-without' as const,
    arms: [{ label: 'without', build: null, environment: {} }],
    tasks: [],
    repos: [],
    runs: 1,
    seed: 1,
    regime: {
      ...{ model: 'sonnet', effort: 'high', maxBudgetUsd: 4, rehearsal: true, toolSearch: false },
      ...{ fence: 'auto' as const, windowTokens: 200_000 },
    },
  };

  it('is left out for codegraph, so that earlier plans keep their hash, and decides the hash for any other', () => {
    const plan = planCampaign(input);
    expect(planCampaign({ ...input, engine: 'codegraph' })).toEqual(plan);
    const described = planCampaign({ ...input, engine: serverSchema.parse(PAGEBOOK) });
    expect(described.engine).toMatchObject({ name: 'pagebook' });
    const other = planCampaign({ ...input, engine: serverSchema.parse({ ...PAGEBOOK, exploreTools: ['other'] }) });
    expect(new Set([plan, described, other].map(planHash)).size).toBe(3);
  });
});
