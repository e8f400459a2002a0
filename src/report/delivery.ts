import { DELIVERY_KINDS, type Delivery, type DeliveryCase } from '../model/delivery.js';
import { oneLine } from './clean.js';
import { grouped } from './numbers.js';

/** Prints what arrived of each answer, one table for each value of MAX_MCP_OUTPUT_TOKENS, then the words of the host. */
export function renderDelivery(delivery: Delivery): string {
  const { host, hostVersion, charsPerToken, cases } = delivery;
  const limits = [...new Set(cases.map(({ limitTokens }) => limitTokens))];
  return [
    `=== delivery · ${oneLine(host)} ${oneLine(hostVersion)} ===`,
    `what the model was shown of one answer of an MCP server, compared byte for byte; tokens are counted as ${charsPerToken} characters`,
    ...limits.flatMap((limit) => [
      '',
      limit === null ? 'MAX_MCP_OUTPUT_TOKENS not set' : `MAX_MCP_OUTPUT_TOKENS=${limit}`,
      ...tableLines(cases.filter(({ limitTokens }) => limitTokens === limit)),
    ]),
    '',
    'words of the host:',
    ...wordings(cases).map(({ words, isKnown }) => `  ${oneLine(words)}${isKnown ? '' : '   UNKNOWN to the metrics'}`),
  ].join('\n');
}

function tableLines(cases: DeliveryCase[]): string[] {
  const kinds = DELIVERY_KINDS.filter((kind) => cases.some((one) => one.kind === kind));
  const sizes = [...new Set(cases.filter(({ kind }) => kind !== 'image').map(({ sentChars }) => sentChars))];
  const ofKind = (kind: string) => cases.filter((one) => one.kind === kind);
  const rows = (ofKind(kinds[0] ?? '').length > 0 ? ofKind(kinds[0] ?? '') : []).map((first, index) => [
    grouped(sizes[index] ?? first.sentChars),
    ...kinds.map((kind) => cellOf(ofKind(kind)[index])),
  ]);
  const all = [['chars', ...kinds], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length))) ?? [];
  return all.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}

function cellOf(one: DeliveryCase | undefined): string {
  if (one === undefined) return '—';
  const { state, keptChars, file } = one;
  if (state === 'whole' || state === 'refused') return state;
  if (state === 'changed') return `changed, ${grouped(one.shownChars)} of ${grouped(one.sentChars)}`;
  if (state === 'cut') return `cut after ${grouped(keptChars)}`;
  return `spilled, ${grouped(keptChars)} shown${file?.isWhole === false ? ', file not whole' : ''}`;
}

/** Each wording once, with its numbers left out. */
function wordings(cases: DeliveryCase[]): { words: string; isKnown: boolean }[] {
  const found = new Map<string, { words: string; isKnown: boolean }>();
  for (const { words, isNoticeKnown } of cases) {
    const key = words?.replace(/\d[\d.,]*/g, '0').slice(0, 60);
    if (words && key && !found.has(key)) found.set(key, { words, isKnown: isNoticeKnown === true });
  }
  return [...found.values()];
}
