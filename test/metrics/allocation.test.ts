import { describe, expect, it } from 'vitest';
import { type Event, EXPLORE, ends, type FileSection, gives, measured, response, says, text, uses } from './events.js';

/** Explore calls that returned these files, one list a call, and then the answer. */
async function allocation(calls: FileSection[][], answer: string | undefined) {
  const events = calls.flatMap((sections, index): Event[] => [
    says(`m${index}`, 1_000 + index, uses(`e${index}`, EXPLORE)),
    gives(`e${index}`, response(...sections)),
  ]);
  return (await measured([[...events, ...(answer === undefined ? [] : [ends(answer)])]])).allocation;
}

const three: FileSection[] = [
  { path: 'lib/response.js', symbols: 'send(method), json(method)', chars: 4_000 },
  { path: 'lib/utils.js', symbols: 'compileETag(function), send(calls)', chars: 3_000 },
  { path: 'lib/application.js', symbols: 'compileETag(variable), render(method)', chars: 3_000 },
];

/** Paths that an answer cites, out of the three. */
async function cited(answer: string, files = three) {
  const { files: found } = await allocation([files], answer);
  return found.flatMap(({ path, via }) => (via ? [`${path} ${via}`] : [])).toSorted();
}

describe('allocation efficiency', () => {
  it('one of three files cited is 40 %', async () => {
    expect(await allocation([three], 'It is in lib/response.js:126-220.')).toEqual({
      envelopeChars: 10_000,
      usedChars: 4_000,
      usedPathChars: 4_000,
      efficiency: 0.4,
      efficiencyPath: 0.4,
      filesReturned: 3,
      filesUsed: 1,
      hasAnswer: true,
      calls: [{ envelopeChars: 10_000, usedChars: 4_000, efficiency: 0.4, files: 3, filesUsed: 1 }],
      files: [
        { path: 'lib/response.js', chars: 4_000, calls: 1, via: 'path' },
        { path: 'lib/utils.js', chars: 3_000, calls: 1, via: null },
        { path: 'lib/application.js', chars: 3_000, calls: 1, via: null },
      ],
    });
  });

  it.each([
    ['see response.js:134', ['lib/response.js path']],
    ['see /repo/lib/response.js', ['lib/response.js path']],
    ['see `./lib/response.js`.', ['lib/response.js path']],
    ['see ./response.js', ['lib/response.js path']],
    ['see C:\\repo\\lib\\response.js', ['lib/response.js path']],
    ['see [it](lib/response.js#L3)', ['lib/response.js path']],
    ['**lib/utils.js** and response.js.', ['lib/response.js path', 'lib/utils.js path']],
    ['see test/response.js', []],
    ['see test/lib/other/response.js', []],
    ['see mylib/response.js', []],
    ['see myresponse.js, response.jsx, response.js.map and response.js/x', []],
    ['res.send does it', []],
    ['`res.send` does it', ['lib/response.js symbol']],
    ['send does it, and json', []],
    ['`send\nthe rest`', []],
    ['```js\nsend()\n```', []],
    ['```\na `tick\n```\nand `send` here', ['lib/response.js symbol']],
    ['`compileETag` makes it', ['lib/utils.js symbol']],
    ['`this` `name` `function`', []],
  ])('%j cites %j', async (answer, files) => {
    expect(await cited(answer)).toEqual(files);
  });

  it('does not credit a file that only calls the symbol', async () => {
    const files = [
      { path: 'a/one.js', symbols: 'mutate(function)' },
      { path: 'a/two.js', symbols: 'mutate(calls)' },
    ];
    expect(await cited('`mutate`', files)).toEqual(['a/one.js symbol']);
  });

  it('credits no file for a symbol that three define', async () => {
    const files = ['a', 'b', 'c'].map((name) => ({ path: `src/${name}.ts`, symbols: 'render(method)' }));
    expect(await cited('`render`', files)).toEqual([]);
    expect(await cited('`render`', files.slice(0, 2))).toEqual(['src/a.ts symbol', 'src/b.ts symbol']);
  });

  it('takes a bare name only with an extension, a path also without', async () => {
    const files = [{ path: 'build/Makefile' }, { path: 'context.go' }];
    expect(await cited('the Makefile', files)).toEqual([]);
    expect(await cited('build/Makefile and context.go', files)).toEqual(['build/Makefile path', 'context.go path']);
    expect(await cited('gin/context.go', files)).toEqual(['context.go path']);
  });

  it('without explore calls there is nothing to share', async () => {
    expect(await allocation([], 'lib/response.js')).toMatchObject({ envelopeChars: 0, efficiency: null, calls: [] });
  });

  it('without an answer there is no efficiency', async () => {
    const found = await measured([
      [says('m1', 1, uses('e', EXPLORE)), gives('e', response(...three)), ends('API Error: 500', { is_error: true })],
    ]);
    expect(found.allocation).toMatchObject({ envelopeChars: 10_000, usedChars: 0, efficiency: null, hasAnswer: false });
    expect(found.ok).toBe(false);
  });
});

describe('several calls and segments', () => {
  it('charges a file twice that was returned twice, and leaves out calls without sections', async () => {
    const found = await allocation(
      [
        [
          { path: 'lib/a.js', chars: 1_000 },
          { path: 'lib/b.js', chars: 3_000 },
        ],
        [],
        [{ path: 'lib/a.js', chars: 2_000 }],
      ],
      'lib/a.js',
    );
    expect(found).toMatchObject({
      envelopeChars: 6_000,
      usedChars: 3_000,
      efficiency: 0.5,
      filesReturned: 2,
      filesUsed: 1,
    });
    expect(found.calls.map(({ efficiency }) => efficiency)).toEqual([0.25, 1]);
    expect(found.files[0]).toEqual({ path: 'lib/a.js', chars: 3_000, calls: 2, via: 'path' });
  });

  it('takes the answers of all segments, and the last text only where there is no result', async () => {
    const explored = [says('m1', 1, uses('e', EXPLORE)), gives('e', response(...three))];
    const both = await measured([
      [...explored, ends('lib/utils.js')],
      [says('m2', 2, text('x')), ends('lib/response.js')],
    ]);
    expect(both.allocation.filesUsed).toBe(2);
    const interactive = await measured([
      [says('m0', 1, text('lib/utils.js')), ...explored, says('m2', 2, text('response.js'))],
    ]);
    expect(interactive.allocation.files.filter(({ via }) => via).map(({ path }) => path)).toEqual(['lib/response.js']);
  });
});

describe('duplicates', () => {
  it('are the lines that an earlier call delivered, in characters', async () => {
    const file = (source: [number, string][]) => response({ path: 'lib/a.js', source });
    const { duplicates } = await measured([
      [
        says('m1', 1, uses('e1', EXPLORE)),
        // The same line twice in one call is no duplicate.
        gives(
          'e1',
          file([
            [1, 'abcde'],
            [2, 'abc'],
            [2, 'abc'],
          ]),
        ),
        says('m2', 2, uses('e2', EXPLORE)),
        gives(
          'e2',
          file([
            [2, 'abc'],
            [3, 'abcdef'],
          ]),
        ),
        says('m3', 3, uses('e3', EXPLORE)),
        gives('e3', response({ path: 'lib/b.js', source: [[2, 'zz']] })),
      ],
    ]);
    // 5 + 3 + 3, then 3 + 6, then 2: 22 in all, of which the 3 of line 2 came again.
    expect(duplicates).toEqual({ sourceChars: 22, duplicateChars: 3, share: 3 / 22 });
  });

  it('have no share without source', async () => {
    expect((await measured([[ends('x')]])).duplicates).toEqual({ sourceChars: 0, duplicateChars: 0, share: null });
  });
});
