import type { ToolKind, ToolTable } from '../model/host-tools.js';
import type { Measure } from '../model/measure.js';
import type { RunDetail } from '../model/repos.js';
import { blockedCalls, returnedCalls } from './keep.js';

type ToolMix = NonNullable<RunDetail['tools']>;

/** The column of the detail that counts a kind of host tool; every other kind is in the column `other`. */
const COLUMNS: Partial<Record<ToolKind, keyof ToolMix>> = {
  reader: 'read',
  searcher: 'search',
  shell: 'bash',
  'background-output': 'bash',
  delegation: 'agent',
};

/** A run's line of the detail; nulls where there is no session. */
export function runDetail(
  measure: Measure | null,
  engine: { isEngineTool(name: string): boolean },
  tools: Pick<ToolTable, 'kindOf'>,
): Omit<RunDetail, 'repo' | 'arm' | 'name' | 'cause'> {
  if (measure === null) return EMPTY;
  const { occupancy, allocation } = measure;
  return {
    requests: measure.requests,
    tools: toolMix(measure, engine, tools),
    retrievalResidualTokens: occupancy
      ? occupancy.residualTokens.tool +
        occupancy.residualTokens.read +
        occupancy.residualTokens.search +
        occupancy.residualTokens.bash
      : null,
    ctxFinalTokens: occupancy?.ctxFinalTokens ?? null,
    tokensProcessed: measure.tokensProcessed,
    costUsd: measure.costUsd,
    durationMs: measure.durationMs,
    answeredExplores: measure.sufficiency.answered,
    allocationEfficiency: allocation.envelopeChars > 0 ? allocation.efficiency : null,
    cliReturned: returnedCalls(measure),
    cliBlocked: blockedCalls(measure),
  };
}

const EMPTY: Omit<RunDetail, 'repo' | 'arm' | 'name' | 'cause'> = {
  requests: null,
  tools: null,
  retrievalResidualTokens: null,
  ctxFinalTokens: null,
  tokensProcessed: null,
  costUsd: null,
  durationMs: null,
  answeredExplores: null,
  allocationEfficiency: null,
  cliReturned: null,
  cliBlocked: null,
};

function toolMix(
  { counts }: Measure,
  engine: { isEngineTool(name: string): boolean },
  tools: Pick<ToolTable, 'kindOf'>,
): RunDetail['tools'] {
  const mix = { engine: 0, read: 0, search: 0, bash: 0, agent: 0, other: 0 };
  for (const [name, n] of Object.entries(counts)) {
    const kind = tools.kindOf(name);
    if (kind === 'tool-search') continue;
    if (engine.isEngineTool(name)) mix.engine += n;
    else mix[(kind && COLUMNS[kind]) ?? 'other'] += n;
  }
  return mix;
}
