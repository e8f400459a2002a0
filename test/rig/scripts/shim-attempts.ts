import type { RehearsalScript } from '../../../src/rehearsal/index.js';

/** An agent without the tool that tries to reach its CLI all the same: by name, by absolute path, through npx. */
const ATTEMPTS = [
  'codegraph explore "res.send"',
  '$(command -v node) /usr/lib/node_modules/@colbymchenry/codegraph/npm-shim.js explore res.send',
  'npx -y @colbymchenry/codegraph explore "res.send"',
  'grep -rn codegraph . | head -3',
];

const script: RehearsalScript = (turn) => {
  const command = ATTEMPTS[turn.step];
  if (command !== undefined) return { toolCalls: [{ name: 'Bash', input: { command, description: 'look' } }] };
  return { text: 'It is settled in lib/response.js.' };
};
export default script;
