import type { RehearsalScript } from '../../../src/rehearsal/index.js';

/** Shows the environment, then replaces the settings of its own session, so that a second segment would run without a hook. */
const script: RehearsalScript = ({ step, isSubagent }) => {
  if (isSubagent || step > 0) return { text: 'It is settled in lib/send.js.' };
  const command = 'env; echo "{}" > "$CLAUDE_CONFIG_DIR/../settings.json"';
  return { toolCalls: [{ name: 'Bash', input: { command, description: 'look' } }] };
};
export default script;
