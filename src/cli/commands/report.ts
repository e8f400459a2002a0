import { basename, resolve } from 'node:path';
import {
  type CampaignReport,
  campaignRedactor,
  makeDistribution,
  makeReport,
  redacted,
  tellRedaction,
} from '../../analysis/index.js';
import type { ShareOptions } from '../../exchange/index.js';
import type { Options } from '../../model/options.js';
import { jsonText, renderDistribution, renderJunit, writeOut } from '../../report/index.js';
import { EXIT, withGate } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { checkOneForm } from '../one-form.js';
import { type CommonFlags, resolveReadOptions } from '../options.js';
import { printFailure } from '../print-failure.js';
import { printReport } from '../print-report.js';

export interface ReportFlags extends CommonFlags {
  distribution?: boolean;
  markdown?: boolean;
  csv?: boolean;
  junit?: boolean;
  /** A file, or true: report.html in the folder. */
  html?: string | true;
  /** Write the page and open it in the browser. */
  open?: boolean;
  embedTranscripts?: boolean;
  /** A new .tar.gz for another person. */
  share?: string;
}

/** `report`: a campaign's report, made again from its logs; also of a folder of the bash harness. */
export async function report(dir: string, flags: ReportFlags, surroundings: Surroundings): Promise<number> {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return printFailure(options.failure);
  const form = checkOneForm(flags);
  if (!form.ok) return printFailure(form.failure);
  if (flags.distribution) return await distribution(dir, options.value);
  const reading = { ...options.value, published: flags.published === true };
  const { environment } = surroundings;
  if (flags.share !== undefined) return await share(dir, flags.share, flags, { reading, environment });
  const made = await makeReport(dir, reading, campaignRedactor(dir, environment));
  if (!made.ok) return printFailure(made.failure);
  if (flags.html !== undefined || flags.open) return await html(made.value, flags);
  const { gate } = made.value;
  const other = await otherForm(made.value, flags);
  if (other !== undefined) writeOut(other);
  const shown = other ?? printReport(made.value, dir, options.value);
  // Lines of figures have no place for it.
  if (gate && flags.csv && !options.value.json) process.stderr.write(`${gate.words}\n`);
  tellRedaction(made.value.redactor, shown);
  return withGate(EXIT.done, gate);
}

/** The report as Markdown, CSV or JUnit; undefined if none of them was asked for. */
async function otherForm(made: CampaignReport, { junit: isJunit, markdown, csv }: ReportFlags) {
  if (isJunit) return await junit(made);
  if (markdown) return made.markdown;
  return csv ? made.csv : undefined;
}

async function junit({ measured: { dir, plan, tasks, verdicts }, gate, redactor }: CampaignReport): Promise<string> {
  const { junitTrials } = await import('../../analysis/index.js');
  const trials = redacted(junitTrials(tasks, plan), redactor);
  return await renderJunit({ campaign: basename(resolve(dir)), verdicts, gate, trials });
}

/** Writes a bundle for another person and prints what it holds. */
async function share(dir: string, target: string, flags: ReportFlags, how: ShareOptions): Promise<number> {
  const other = (['json', 'markdown', 'csv', 'junit', 'html', 'full'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (other !== undefined) {
    const message = `--share holds every form of the report: leave out --${other}`;
    return printFailure({ reason: 'bad-input', message });
  }
  const { shareCampaign } = await import('../../exchange/index.js');
  const shared = await shareCampaign(dir, target, how);
  if (!shared.ok) return printFailure(shared.failure);
  const { sharedWords } = await import('../../exchange/index.js');
  writeOut(sharedWords(target, shared.value));
  return EXIT.done;
}

/** Writes the page and prints its path, which can be handed to a browser. */
async function html({ measured, gate, redactor }: CampaignReport, flags: ReportFlags): Promise<number> {
  const { writeHtml } = await import('../../analysis/index.js');
  const file = typeof flags.html === 'string' ? flags.html : undefined;
  const written = await writeHtml(measured, { file, embed: flags.embedTranscripts === true, redactor });
  if (!written.ok) return printFailure(written.failure);
  writeOut(written.value);
  if (flags.open) await openInBrowser(written.value);
  tellRedaction(redactor);
  if (gate) process.stderr.write(`${gate.words}\n`);
  return withGate(EXIT.done, gate);
}

/** Hands the page to the browser of the user. The path has been printed, so a machine without a browser is no failure. */
async function openInBrowser(file: string): Promise<void> {
  try {
    const { default: open } = await import('open');
    await open(file);
  } catch (error) {
    process.stderr.write(`no browser could be started: ${(error as Error).message}\n`);
  }
}

async function distribution(dir: string, options: Options): Promise<number> {
  const made = await makeDistribution(dir, options);
  if (!made.ok) return printFailure(made.failure);
  writeOut(options.json ? jsonText(made.value) : renderDistribution(made.value));
  return EXIT.done;
}
