import type { RehearsalScript } from '../../../src/rehearsal/index.js';

const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'try' } });

/**
 * With the server: asks it twice, names a project outside of the workspace, reads a file that an answer named, and answers.
 * Without: tries to reach the program and the index in several ways, and mentions both.
 */
const script: RehearsalScript = (turn) => {
  if (turn.tools.length === 0) return { text: 'A question about this repository.' };
  const place = turn.workingDirectory ?? '.';
  if (turn.arm === 'with') {
    const look = (term: string) => ({ name: 'mcp__pagebook__look_up', input: { term } });
    if (turn.step === 0) return { toolCalls: [look('settle')] };
    if (turn.step === 1) {
      return {
        toolCalls: [
          { name: 'mcp__pagebook__table_of_contents', input: { project_path: '/etc' } },
          look('no such term'),
        ],
      };
    }
    if (turn.step === 2) {
      const own = { name: 'mcp__pagebook__table_of_contents', input: { project_path: `${place}/lib` } };
      return { toolCalls: [{ name: 'Read', input: { file_path: `${place}/lib/settle.js` } }, own] };
    }
    return { text: 'It is settled in lib/settle.js.' };
  }
  const attempts = [
    'pagebook scan .',
    'npx @pages/book mcp .',
    'node_modules/.bin/pgb mcp .',
    'cat .pagebook/pages.json',
    'echo "pagebook is only named"',
  ];
  const next = attempts[turn.step];
  return next === undefined ? { text: 'It is settled in lib/settle.js.' } : { toolCalls: [bash(next)] };
};
export default script;
