import type { HeldSession } from './session.js';
import { bash, type Call } from './session.js';

/** What a session must be able to do at every level: the calls of two prompts, and what each must show. */
interface Step {
  call: (workspace: string) => Call;
  /** Found in the result. */
  shows: RegExp;
}

const FIRST: Step[] = [
  { call: () => bash('mkdir -p sub && cd sub && echo made'), shows: /made/ },
  { call: () => bash('basename "$PWD"; cd ..'), shows: /^sub$/m },
  {
    call: () => bash('type grep | head -1; type find | head -1; type rg | head -1'),
    shows: /grep is a function[\s\S]*find is a function/,
  },
  {
    call: () => bash('printf "alpha\\nbeta\\n" > notes.txt; grep -n beta notes.txt; find . -name notes.txt'),
    shows: /2:beta[\s\S]*notes\.txt/,
  },
  { call: (workspace) => ({ name: 'Read', input: { file_path: `${workspace}/notes.txt` } }), shows: /beta/ },
  {
    call: (workspace) => ({
      name: 'Edit',
      input: { file_path: `${workspace}/notes.txt`, old_string: 'beta', new_string: 'gamma' },
    }),
    shows: /updated|gamma/,
  },
  { call: () => bash('cat notes.txt; echo delta >> notes.txt'), shows: /gamma/ },
  // Another range: the host answers a repeated Read from memory while the file's time is the same.
  {
    call: (workspace) => ({ name: 'Read', input: { file_path: `${workspace}/notes.txt`, offset: 2, limit: 9 } }),
    shows: /delta/,
  },
  {
    call: () =>
      bash(
        'git init -q . && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m first && git log --oneline && git status --short',
      ),
    shows: /first[\s\S]*notes\.txt/,
  },
  { call: () => bash('node -e "console.log(6*7)"'), shows: /^42$/m },
  {
    call: () =>
      bash(`printf '{"name":"x","version":"1.0.0","scripts":{"t":"node -p 6*8"}}' > package.json; npm run -s t 2>&1`),
    shows: /^48$/m,
  },
  { call: () => bash('python3 -c "print(6*9)"'), shows: /^54$/m },
  { call: () => bash('echo must-be-denied'), shows: /\[denied\]/ },
  { call: () => bash('echo kept > "$TMPDIR/kept"; cat "$TMPDIR/kept"'), shows: /kept/ },
];

/** In a second segment, resumed: the first one's files are there. */
const SECOND: Step[] = [
  { call: () => bash('cat "$TMPDIR/kept"; cat notes.txt'), shows: /kept[\s\S]*gamma[\s\S]*delta/ },
];

export const dailyPrompts = (workspace: string): Call[][] =>
  [FIRST, SECOND].map((steps) => steps.map(({ call }) => call(workspace)));

/** Calls whose result did not show what it must; empty when all is well. */
export function failedWork({ results }: Pick<HeldSession, 'results'>, workspace: string): string[] {
  const steps = [...FIRST, ...SECOND];
  if (results.length !== steps.length) return [`${results.length} of ${steps.length} calls were answered`];
  return steps.flatMap(({ call, shows }, at) => {
    const text = results[at]?.text ?? '';
    return shows.test(text) ? [] : [`${JSON.stringify(call(workspace).input)} gave ${text.slice(0, 400)}`];
  });
}
