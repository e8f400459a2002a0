/**
 * A model whose window grows by 12,000 tokens with each prompt, and which knows after a compaction only what its summary says. In the
 * arm `forgets` the summary leaves out what the first prompt found.
 */
const FOUND = 'In `send.js:2` the function escapeBody turns the body into text.';

interface Turn {
  arm: string;
  promptIndex: number;
  isCompaction: boolean;
  summary: string | undefined;
}

export default function script({ arm, promptIndex, isCompaction, summary }: Turn) {
  if (isCompaction) {
    const kept = arm === 'keeps' ? FOUND : 'Some files were looked at.';
    const text = `<summary>At prompt ${promptIndex}. ${kept}</summary>`;
    return { text, usage: { inputTokens: 70_000, outputTokens: 50 } };
  }
  const since = promptIndex - Number(/At prompt (\d+)/.exec(summary ?? '')?.[1] ?? 0);
  const knows = summary === undefined || summary.includes('escapeBody');
  const text = knows ? FOUND : 'The summary does not tell.';
  return { text, usage: { inputTokens: 45_000 + 12_000 * since, outputTokens: 20 } };
}
