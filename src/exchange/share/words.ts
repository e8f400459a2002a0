import type { SharedBundle } from './share-campaign.js';

/** What a bundle holds, file by file, and what it does not. */
export function sharedWords(target: string, { files, bytes, figures, redacted, leftOut }: SharedBundle): string {
  const width = Math.max(...files.map((file) => size(file.bytes).length));
  return [
    `${target}  ${size(bytes)}`,
    ...files.map((file) => `  ${size(file.bytes).padStart(width)}  ${file.path}`),
    '',
    `measured again from the redacted copy: all ${figures} figures are the same`,
    `redacted: ${redacted === '' ? 'nothing was found' : redacted}`,
    `left out: ${leftOut.length === 0 ? 'nothing' : leftOut.join(', ')}`,
  ].join('\n');
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
