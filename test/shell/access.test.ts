import { describe, expect, it } from 'vitest';
import { shellAccess } from '../../src/shell/index.js';

const read = (...paths: string[]) => ({ kind: 'read', paths });
const search = { kind: 'search' };
const none = { kind: 'none' };

describe('how a shell command gets at files', () => {
  it.each([
    ['cat src/a.ts', read('src/a.ts')],
    ['cat src/a.ts src/b.ts', read('src/a.ts', 'src/b.ts')],
    ['cat -n src/a.ts', read('src/a.ts')],
    ['bat --plain src/a.ts', read('src/a.ts')],
    ['head -50 src/a.ts', read('src/a.ts')],
    ['head -n 50 src/a.ts', read('src/a.ts')],
    ['tail -n +100 src/a.ts', read('src/a.ts')],
    ['less src/a.ts', read('src/a.ts')],
    ['nl -ba src/a.ts', read('src/a.ts')],
    ["sed -n '10,40p' src/a.ts", read('src/a.ts')],
    ["sed -n -e '1p' -e '5p' src/a.ts", read('src/a.ts')],
    ["awk 'NR<5' src/a.ts", read('src/a.ts')],
    ["awk -F: '{print $1}' src/a.ts", read('src/a.ts')],
    ['wc -l src/a.ts', read('src/a.ts')],
    ['git show HEAD:src/a.ts', read('src/a.ts')],
    ['git show HEAD~1:src/a.ts | head', read('src/a.ts')],
  ])('reader: %s', (command, expected) => {
    expect(shellAccess(command)).toEqual(expected);
  });

  it.each([
    'grep -rn foo src',
    'egrep foo src/a.ts',
    'fgrep foo src/a.ts',
    'rg foo',
    'ag foo',
    'ack foo',
    "find . -name '*.ts'",
    'fd foo',
    'ls src',
    'tree -L 2',
    'git grep foo',
    'git ls-files src',
    'grep foo src/a.ts > out.txt',
    'grep foo src/a.ts 2>/dev/null',
  ])('searcher: %s', (command) => {
    expect(shellAccess(command)).toEqual(search);
  });

  it.each([
    "sed -i 's/a/b/' src/a.ts",
    "sed -i.bak 's/a/b/' src/a.ts",
    'cat > x.ts',
    "cat > x.ts <<'EOF'\ncat a.ts\nEOF",
    "cat <<'EOF'\nhello\nEOF",
    'cat src/a.ts > copy.ts',
    'npm test',
    'git status',
    'git show HEAD',
    'echo cat src/a.ts',
    'git diff | head -20',
    'true',
    '',
    'f() { cat a.ts; }',
  ])('neither: %s', (command) => {
    expect(shellAccess(command)).toEqual(none);
  });

  it.each([
    ['cat src/a.ts 2>/dev/null', read('src/a.ts')],
    ['cat src/a.ts 2>&1', read('src/a.ts')],
    ['cat src/a.ts | grep foo', read('src/a.ts')],
    ['grep -n foo src/a.ts | head -5', search],
    ['ls src && cat src/a.ts', search],
    ['cat src/a.ts; ls', read('src/a.ts')],
    ['npm test && cat log.txt', read('log.txt')],
    ['for f in a.ts b.ts; do cat $f; done', read('a.ts')],
    ["bash -c 'cat src/a.ts'", read('src/a.ts')],
    ['sh -c "grep foo src"', search],
    ['timeout 5 cat src/a.ts', read('src/a.ts')],
    ['cd src && cat a.ts', read('src/a.ts')],
    ['F=src/a.ts; head -20 "$F"', read('src/a.ts')],
    ['if [ -f a.ts ]; then cat a.ts; fi', read('a.ts')],
    ['(cd src; sed -n 1,5p a.ts)', read('src/a.ts')],
    ['find . -name a.ts -exec cat {} +', search],
    ['git -C /repo grep foo', search],
    ['cat ./src/a.ts', read('src/a.ts')],
  ])('the first decides: %s', (command, expected) => {
    expect(shellAccess(command)).toEqual(expected);
  });

  it('never throws', () => {
    for (const command of ['$(', '"', 'cat "', '<<', '${x', '(((((']) expect(() => shellAccess(command)).not.toThrow();
  });
});
