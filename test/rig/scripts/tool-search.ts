import type { RehearsalScript } from '../../../src/rehearsal/index.js';

const EXPLORE = 'mcp__codegraph__codegraph_explore';

/**
 * With the tool: looks it up among the deferred ones and uses it. Without: builds its CLI's name at run time, in a way that no
 * reading of the command can follow.
 */
const script: RehearsalScript = ({ arm, step, isSubagent }) => {
  if (isSubagent || step > 1) return { text: 'It is settled in lib/send.js.' };
  if (arm === 'without') {
    if (step === 1) return { text: 'It is settled in lib/send.js.' };
    const command = '"$(node -p "String.fromCharCode(99,111,100,101,103,114,97,112,104)")" explore "send body"';
    return { toolCalls: [{ name: 'Bash', input: { command, description: 'look' } }] };
  }
  if (step === 0) {
    return { toolCalls: [{ name: 'ToolSearch', input: { query: `select:${EXPLORE}`, max_results: 1 } }] };
  }
  return { toolCalls: [{ name: EXPLORE, input: { query: 'send' } }] };
};
export default script;
