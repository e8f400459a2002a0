import type { ReadOptions } from '../measure-tasks.js';
import { packageVersion } from '../package.js';

/** What stands in a bundle's README.txt. */
export interface BundleFacts {
  campaign: string;
  scripted: boolean;
  options: ReadOptions;
  /** As `redactedWords` tells it; empty: nothing. */
  redacted: string;
  leftOut: string[];
  figures: number;
}

/** The README.txt of a bundle: what it is, how to measure it again, what was redacted and left out. No dates: it never changes. */
export function bundleReadme({ campaign, scripted, options, redacted, leftOut, figures }: BundleFacts): string {
  return `${[
    `A campaign of agent-eval ${packageVersion}: ${campaign}`,
    ...(scripted ? ['The model was scripted: its figures show the harness, not the tool under test.'] : []),
    '',
    'To measure it again from its logs, and to get the same figures:',
    '',
    `  npx agent-eval@${packageVersion} report ${campaign}${flagsOf(options)}`,
    '',
    `report.html, report.txt, report.md, report.csv and report.json hold that report, measures.json every run's measures.`,
    'Logs, records (.trial.json), plan and manifest have the names that a campaign folder gives them (docs/sharing.md).',
    '',
    `Redacted, each by a text of the same length: ${redacted === '' ? 'nothing was found' : redacted}.`,
    `The report was made from the redacted logs and held against that of the originals: its ${figures} figures are the same.`,
    `Left out: ${leftOut.length === 0 ? 'nothing' : leftOut.join(', ')}.`,
  ].join('\n')}\n`;
}

/** The window is always named, because the reader's environment may set another. */
function flagsOf({ windowTokens, includeRaced, includeContaminated, published, gate }: ReadOptions): string {
  return [
    ` --window-tokens ${windowTokens ?? 'auto'}`,
    includeRaced ? ' --include-raced' : '',
    includeContaminated ? ' --include-contaminated' : '',
    published ? ' --published' : '',
    typeof gate === 'string' ? ` --gate ${gate}` : '',
  ].join('');
}
