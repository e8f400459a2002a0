import { summarizeArm } from '../aggregate/index.js';
import { hostLog } from '../host/logs.js';
import type { AllocationMeasure } from '../model/measure.js';
import { renderRun } from '../report/index.js';
import { check, type Section } from './check.js';
import { ENGINE } from './engine.js';
import {
  type Event,
  ends,
  explore,
  type FileSection,
  gives,
  measured,
  response,
  says,
  sessionOf,
  text,
} from './transcript.js';

const three: FileSection[] = [
  { path: 'lib/response.js', symbols: 'send(method), app(variable)', chars: 4_000 },
  { path: 'lib/view.js', symbols: 'render(function)', chars: 3_000 },
  { path: 'lib/utils.js', symbols: 'send(call)', chars: 3_000 },
];

const session = (answer: string, ...responses: string[]): Event[] => [
  ...responses.flatMap((words, index) => [
    says(`m${index}`, 10 + index, explore(`e${index}`)),
    gives(`e${index}`, words),
  ]),
  says('end', 99, text('narration')),
  ends(answer),
];

async function allocation(answer: string, sections: FileSection[] = three, after = ''): Promise<AllocationMeasure> {
  return (await measured(session(answer, response(sections, after)))).allocation;
}

const efficiency = async (answer: string, sections?: FileSection[]) => (await allocation(answer, sections)).efficiency;
const cited = async (answer: string, sections?: FileSection[]) => {
  return (await allocation(answer, sections)).files.filter(({ via }) => via !== null).map(({ path }) => path);
};

const DEFINING =
  'module class struct interface trait protocol function method property field variable constant enum enum_member ' +
  'type_alias namespace route component';
const COMMON =
  'function return const this true false null void undefined string object number boolean array class import export ' +
  'async await default type value name data self super else then case from with when where that they';

/** Section 4. */
export const allocationRules: Section = {
  title: '4 Allocation efficiency',
  checks: [
    check('Check: one of three files cited (4,000/3,000/3,000) is 40%', 0.4, () => efficiency('See lib/response.js.')),
    check('Check: response.js:134 cites the file', ['lib/response.js'], () => cited('It is in response.js:134.')),
    check('Check: res.send is no path', [], () => cited('Call res.send then.')),
    check('… inside a code span it does cite the symbol send', ['lib/response.js'], () =>
      cited('Call `res.send()` then.'),
    ),
    check('Check: a file that only calls a cited symbol is not credited', ['lib/response.js'], () =>
      cited('See `send`.'),
    ),
    check('Check: a symbol on three files credits none', [], () => {
      return cited(
        'See `send`.',
        ['a', 'b', 'c'].map((name) => ({ path: `lib/${name}.js`, symbols: 'send(method)', chars: 500 })),
      );
    }),
    check('Check: prose without backticks credits none', [], () => cited('The send method renders the view.')),
    check('Check: no explore calls, and the block says so', true, async () => {
      const events = [says('m1', 10, text('hello')), ends()];
      const block = renderRun(await sessionOf(events), await measured(events), {
        brief: true,
        engine: ENGINE,
      });
      return block.includes('Explore allocation: no codegraph_explore responses');
    }),
    check('The envelope is the sum of the sections, not the whole response', 10_000, async () => {
      return (await allocation('x', three, `\n> ${'note '.repeat(100)}\n`)).envelopeChars - 0;
    }),
    check('The last section ends at the trailing > quote', 25, async () => {
      // The header's 12 characters, an empty line, a fence of three lines; the line break before the quote is the quote's.
      return (await allocation('x', [], '**`lib/a`**\n\n```\n1\tx\n```\n\n> note\n')).envelopeChars;
    }),
    check(`A symbol is defined by these kinds: ${DEFINING}`, DEFINING.split(' '), async () => {
      const found: string[] = [];
      for (const kind of [...DEFINING.split(' '), 'call', 'import', 'reference']) {
        const files = await cited('See `target`.', [{ path: 'lib/a.js', symbols: `target(${kind})`, chars: 500 }]);
        if (files.length > 0) found.push(kind);
      }
      return found;
    }),
    check('The answer is the result text of every segment', ['lib/response.js', 'lib/view.js'], async () => {
      const first = session('See lib/response.js.', response(three));
      const found = await measured(first, [says('n1', 50, text('.')), ends('And lib/view.js.')]);
      return found.allocation.files.filter(({ via }) => via).map(({ path }) => path);
    }),
    check('… in an interactive transcript the last text of the main thread', 0.3, async () => {
      const events = [
        says('m1', 10, explore('e')),
        gives('e', response(three)),
        says('m2', 20, text('It is lib/view.js.')),
      ];
      return (await measured(events)).allocation.efficiency;
    }),
    check('A path cites with at least one directory', ['lib/view.js'], () =>
      cited('See ./lib/view.js and /repo/lib/view.js.'),
    ),
    check('A bare name that is part of a longer, other path cites nothing', [], () => cited('See src/other/view.js.')),
    check('A bare word without the extension of a returned file is no path', [], () => cited('The view and view.ts.')),
    check('Symbols have at least 4 characters', [], () => {
      return cited('See `app`.', [{ path: 'lib/a.js', symbols: 'app(function)', chars: 500 }]);
    }),
    check(`Words that cite nothing: ${COMMON}`, [], async () => {
      const symbols = COMMON.split(' ').map((word) => `${word}(method)`);
      const spans = COMMON.split(' ').map((word) => `\`${word}\``);
      return await cited(spans.join(' '), [{ path: 'lib/a.js', symbols: symbols.join(', '), chars: 900 }]);
    }),
    check('Symbols are looked for in single-line code spans only', [], () =>
      cited('```js\nsend()\n```\nand `a\nsend`'),
    ),
    check('A symbol held by two files credits both', ['lib/a.js', 'lib/b.js'], () => {
      return cited(
        'See `send`.',
        ['a', 'b'].map((name) => ({ path: `lib/${name}.js`, symbols: 'send(method)', chars: 500 })),
      );
    }),
    check('A real definition outranks a variable or constant elsewhere', ['lib/a.js'], () => {
      return cited('See `send`.', [
        { path: 'lib/a.js', symbols: 'send(function)', chars: 500 },
        { path: 'lib/b.js', symbols: 'send(variable)', chars: 500 },
      ]);
    }),
    check(
      'Definitions outrank before the files are counted: one function and two variables credit the one, three functions none',
      [['lib/a.js'], []],
      async () => {
        const files = (kinds: string[]) =>
          kinds.map((kind, index) => ({ path: `lib/${'abc'[index]}.js`, symbols: `send(${kind})`, chars: 500 }));
        return [
          await cited('See `send`.', files(['function', 'variable', 'constant'])),
          await cited('See `send`.', files(['function', 'function', 'function'])),
        ];
      },
    ),
    check('No answer: null, not 0', [null, false], async () => {
      const { allocation: found } = await measured([says('m1', 10, explore('e')), gives('e', response(three))]);
      return [found.efficiency, found.hasAnswer];
    }),
    check('A file returned twice counts twice: 8,000 of 20,000', [8_000, 20_000, 2], async () => {
      const { allocation: found } = await measured(session('lib/response.js', response(three), response(three)));
      return [found.usedChars, found.envelopeChars, found.files[0]?.calls];
    }),
    check('Per call and pooled: 40% and 0%, together 4,000 of 13,000', [[0.4, 0], 4_000, 13_000], async () => {
      const other = response([{ path: 'lib/z.js', chars: 3_000 }]);
      const { allocation: found } = await measured(session('lib/response.js', response(three), other));
      return [found.calls.map((call) => call.efficiency), found.usedChars, found.envelopeChars];
    }),
    check('Path-only efficiency beside it: 70% by both channels, 40% by paths', [0.7, 0.4], async () => {
      const found = await allocation('See lib/response.js and `render`.');
      return [found.efficiency, found.efficiencyPath];
    }),
    check('A run without sections contributes nothing rather than zero', [0.4, 1], async () => {
      const engine = ENGINE;
      const full = await measured(session('lib/response.js', response(three)));
      const empty = await measured(session('lib/response.js', 'No relevant code found for "q"'));
      const runs = [full, empty].map((measure, index) => ({ name: `run-${index}`, measure, expectsEngine: true }));
      const arm = summarizeArm('with', runs, {
        engine,
        tools: hostLog().tools,
        includeRaced: false,
        includeContaminated: false,
      });
      return [arm.allocation.efficiency, arm.figures.allocationEfficiency?.n];
    }),
  ],
};
