import { durationWithTenths, grouped, MISSING, percent1 } from '../numbers.js';
import type { RegimeBox } from '../repo-sections.js';
import type { HtmlRun } from './model.js';
import { toolName } from './tool-name.js';

/** What was measured on a run, label and value; what it does not have is left out, or printed as missing. */
export function runFacts({ chart, startedAt, phases, attempt }: HtmlRun): RegimeBox {
  const { measure } = chart;
  const facts: RegimeBox = [];
  if (measure !== null) {
    const { occupancy, sufficiency, allocation, contamination, diagnostics } = measure;
    const tools = Object.entries(measure.counts).map(([name, n]) => `${toolName(name)} ${n}`);
    facts.push(
      ['cost', measure.costUsd === null ? MISSING : `$${measure.costUsd.toFixed(3)}`],
      ['tokens processed', orMissing(measure.tokensProcessed, grouped)],
      ['duration', orMissing(measure.durationMs, durationWithTenths)],
      ['requests', grouped(measure.requests)],
      ['tool calls', tools.length === 0 ? 'none' : `${grouped(measure.toolCalls)} (${tools.join(', ')})`],
    );
    if (occupancy !== null) {
      const { tool, read, search, bash } = occupancy.residualTokens;
      facts.push(
        [
          'final context',
          `${orMissing(occupancy.ctxFinalTokens, grouped)} tokens, of which fixed ${grouped(occupancy.ctxBaseTokens)}`,
        ],
        ['retrieval residual', `${grouped(tool + read + search + bash)} tokens`],
        ['characters a token', `${occupancy.charsPerToken.toFixed(2)}${occupancy.calibrated ? '' : ' (assumed)'}`],
      );
      if (occupancy.compactions > 0) facts.push(['compactions', grouped(occupancy.compactions)]);
    }
    if (sufficiency.answered > 0) {
      facts.push(['sufficient explores', `${sufficiency.buckets.sufficient} of ${sufficiency.answered}`]);
    }
    if (allocation.efficiency !== null) {
      facts.push([
        'allocation efficiency',
        `${percent1(allocation.efficiency)} of ${grouped(allocation.envelopeChars)} characters`,
      ]);
    }
    const returned = contamination.invoke.returned + contamination.data.returned;
    const blocked = contamination.invoke.blocked + contamination.data.blocked;
    if (returned + blocked > 0) facts.push(['around the MCP server', `${returned} returned, ${blocked} blocked`]);
    if (diagnostics.retries > 0) facts.push(['API retries', grouped(diagnostics.retries)]);
  }
  if (startedAt !== null) facts.push(['started', startedAt.slice(0, 19).replace('T', ' ')]);
  if (attempt !== null && attempt > 1) facts.push(['attempt', `${attempt}; earlier ones are kept in attempts/`]);
  if (phases.length > 0)
    facts.push(['phases', phases.map(([phase, ms]) => `${phase} ${durationWithTenths(ms)}`).join(' · ')]);
  return facts;
}

function orMissing(value: number | null, print: (value: number) => string): string {
  return value === null ? MISSING : print(value);
}
