import { HOOK_MARKER } from '../../src/shell/index.js';
import { type MadeExplore, type MadeSection, makeExplore, words } from './generated-explore.js';
import type { Random } from './random.js';

export type MadeFamily = 'tool' | 'read' | 'search' | 'bash' | 'other';

/** What a call says about an explore before it. */
export type Meaning =
  | { kind: 'skip' }
  | { kind: 'denied' }
  | { kind: 'delegate' }
  | { kind: 'plain'; bucket: 'explore_again' | 'search' | 'sufficient'; next: string }
  | { kind: 'read'; verb: string; path: string };

export interface MadeCall {
  id: string;
  name: string;
  family: MadeFamily;
  input: Record<string, unknown>;
  /** Content of the tool_result; `chars` of it are text. */
  content: unknown;
  chars: number;
  isError: boolean;
  images: number;
  meaning: Meaning;
  accessesFiles: boolean;
  explore: 'answered' | 'noAnswer' | 'undelivered' | 'errored' | undefined;
  sections: MadeSection[];
  named: string | undefined;
  /** How it reaches for the engine's own program. */
  invokes: 'blocked' | 'returned' | undefined;
  apiError: boolean;
}

export const EXPLORE = 'mcp__codegraph__codegraph_explore';

/** Makes calls with results of exact lengths. */
export class CallMaker {
  private count = 0;
  private readonly delivered: MadeSection[] = [];
  private readonly named: string[] = [];

  /** `charsOf` tells for a least number of characters how many a result shall have. */
  constructor(
    private readonly random: Random,
    private readonly charsOf: (least: number) => number,
  ) {}

  make(canDelegate: boolean): MadeCall {
    const kinds = [
      ...[
        'explore',
        'explore',
        'explore',
        'read',
        'read',
        'read',
        'bash',
        'bash',
        'grep',
        'edit',
        'node',
        'search-tools',
      ],
      ...['denied', 'invoke', 'image', ...(canDelegate ? ['agent', 'agent'] : [])],
    ];
    return this.makeKind(this.random.pick(kinds));
  }

  makeKind(kind: string): MadeCall {
    const { random } = this;
    const index = this.count++;
    const id = `call${index}`;
    switch (kind) {
      case 'explore':
        return this.explore(id, index);
      case 'read': {
        const path = this.path(index);
        return this.plain(id, 'Read', 'read', { file_path: `/w/repo/${path}` }, { kind: 'read', verb: 'Read', path });
      }
      case 'bash':
        return this.bash(id, index);
      case 'grep': {
        const name = random.pick(['Grep', 'Glob']);
        return this.plain(id, name, 'search', { pattern: 'x' }, { kind: 'plain', bucket: 'search', next: name });
      }
      case 'node':
        return this.plain(
          id,
          'mcp__codegraph__codegraph_node',
          'tool',
          { symbol: 'x' },
          { kind: 'plain', bucket: 'explore_again', next: 'codegraph_node' },
        );
      case 'search-tools':
        return this.plain(id, random.pick(['ToolSearch', 'TodoWrite']), 'other', {}, { kind: 'skip' });
      case 'denied': {
        const call = this.plain(id, 'Bash', 'bash', { command: 'codegraph query x' }, { kind: 'denied' }, HOOK_MARKER);
        return { ...call, isError: true, invokes: 'blocked', accessesFiles: false };
      }
      case 'invoke': {
        const input = { command: `codegraph query 'it ${index}'` };
        const call = this.plain(
          id,
          'Bash',
          'bash',
          input,
          { kind: 'plain', bucket: 'sufficient', next: 'Bash' },
          'hit',
        );
        return { ...call, invokes: 'returned' };
      }
      case 'image': {
        const call = this.plain(
          id,
          'Read',
          'read',
          { file_path: '/w/p.png' },
          { kind: 'read', verb: 'Read', path: 'p.png' },
        );
        const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(5_000) } };
        return { ...call, content: [{ type: 'text', text: call.content }, image], images: 1 };
      }
      case 'agent': {
        const apiError = random.chance(0.15);
        const call = this.plain(
          id,
          'Agent',
          'other',
          { prompt: 'p' },
          { kind: 'delegate' },
          apiError ? 'API Error: 400' : '',
        );
        return { ...call, apiError };
      }
      default:
        return this.plain(
          id,
          'Edit',
          'other',
          { file_path: '/w/a' },
          { kind: 'plain', bucket: 'sufficient', next: 'Edit' },
        );
    }
  }

  private explore(id: string, index: number): MadeCall {
    const { random } = this;
    const base = this.plain(
      id,
      EXPLORE,
      'tool',
      { query: `q${index}` },
      { kind: 'plain', bucket: 'explore_again', next: 'codegraph_explore' },
    );
    const fate = random.pick([
      'answered',
      'answered',
      'answered',
      'answered',
      'noAnswer',
      'undelivered',
      'errored',
    ] as const);
    const opening = {
      answered: '',
      noAnswer: 'No relevant code found for "x"',
      undelivered: random.chance(0.5)
        ? '<persisted-output>\nOutput too large (106.3KB).'
        : 'Error: result (150,000 characters across 3 lines) exceeds maximum allowed tokens. Output has been saved.',
      errored: 'the daemon is gone',
    }[fate];
    const result = fate === 'answered' ? this.answer(makeExplore(random, index, this.delivered)) : this.padded(opening);
    const { sections = [], named, ...text } = result;
    this.delivered.push(...sections);
    if (named !== undefined) this.named.push(named);
    return { ...base, ...text, explore: fate, isError: fate === 'errored', sections, named };
  }

  private answer(made: MadeExplore): Pick<MadeCall, 'content' | 'chars'> & Partial<MadeCall> {
    const least = made.text(0).length;
    const chars = this.charsOf(least);
    const text = made.text(chars - least);
    const content = this.random.chance(0.5) ? text : [{ type: 'text', text }];
    return { content, chars, sections: made.sections, named: made.named };
  }

  private bash(id: string, index: number): MadeCall {
    const path = this.path(index);
    const searches = (command: string) => ({
      command,
      meaning: { kind: 'plain', bucket: 'search', next: 'Bash search' } as const,
    });
    const reads = (command: string) => ({ command, meaning: { kind: 'read', verb: 'Bash Read', path } as const });
    const nothing = (command: string) => ({
      command,
      meaning: { kind: 'plain', bucket: 'sufficient', next: 'Bash' } as const,
    });
    const { command, meaning } = this.random.pick([
      searches('grep -rn foo lib | head -5'),
      searches('cd lib && find . -name x.js 2>/dev/null'),
      reads(`cat ${path}`),
      reads(`sed -n '1,20p' ${path} | head`),
      nothing('npm test'),
      nothing(`echo x > ${path}`),
    ]);
    return this.plain(id, 'Bash', 'bash', { command }, meaning);
  }

  /** A file that was returned, was named, or neither. */
  private path(index: number): string {
    const section = this.delivered.length > 0 ? this.random.pick(this.delivered) : undefined;
    const choices = [`other/o${index}.js`, section?.path, this.named.at(-1)].filter((path) => path !== undefined);
    return this.random.pick(choices);
  }

  private padded(opening: string): { content: string; chars: number; sections?: MadeSection[]; named?: string } {
    const chars = this.charsOf(opening.length + 1);
    return { content: `${opening} ${words(chars - opening.length - 1)}`, chars };
  }

  private plain(
    id: string,
    name: string,
    family: MadeFamily,
    input: Record<string, unknown>,
    meaning: Meaning,
    opening = '',
  ): MadeCall {
    const accessesFiles = meaning.kind === 'read' || (meaning.kind === 'plain' && meaning.bucket === 'search');
    return {
      ...{ id, name, family, input, meaning, accessesFiles, ...this.padded(opening) },
      ...{
        isError: false,
        images: 0,
        explore: undefined,
        sections: [],
        named: undefined,
        invokes: undefined,
        apiError: false,
      },
    };
  }
}
