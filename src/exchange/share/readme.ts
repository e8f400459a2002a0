import type { ReadOptions } from '../../analysis/index.js';
import { packageVersion } from '../../util/package.js';

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
    '',
    'The redaction knows secrets by their shape, by the name or option before them, or because they are values of secret environment',
    'variables, the login name or the host name of the machine that made this bundle. It misses:',
    '- a password or token without a known shape that nothing marks: in prose, behind a name that does not say what it is, in a picture;',
    '- an unquoted password of letters alone, unless it is assigned to a variable in capital letters;',
    '- a secret that is encoded once more (base64 of a whole file, hex, compressed) or cut into several texts;',
    '- names of people in prose, a user name of another machine outside of paths and of the output of common commands, and a login name of',
    '  less than four letters;',
    '- names of other hosts, internal addresses, and the code of the repositories.',
    'Read what you share.',
    '',
    `Left out: ${leftOut.length === 0 ? 'nothing' : leftOut.join(', ')}.`,
  ].join('\n')}\n`;
}

/** The window is always named, because the reader's environment may set another. */
function flagsOf({
  windowTokens,
  includeRaced,
  includeContaminated,
  published,
  gate,
  gateWithoutAnswers,
}: ReadOptions): string {
  return [
    ` --window-tokens ${windowTokens ?? 'auto'}`,
    includeRaced ? ' --include-raced' : '',
    includeContaminated ? ' --include-contaminated' : '',
    published ? ' --published' : '',
    typeof gate === 'string' ? ` --gate ${gate}` : '',
    gateWithoutAnswers ? ' --gate-without-answers' : '',
  ].join('');
}
