import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { ReadOptions } from '../../analysis/index.js';
import { type CampaignReport, campaignRedactor, makeReport } from '../../analysis/index.js';
import { fail, ok, type Result } from '../../model/failure.js';
import type { Environment } from '../../model/options.js';
import { type Redactor, redactedWords } from '../../redaction/index.js';
import { reportFile } from '../../report/index.js';
import { CAMPAIGN_FILES, messageOf, readPlan } from '../../store/index.js';
import { countFigures, differingFigures } from './compare.js';
import { type FileKind, filesToShare, learnFile, redactedBytes } from './files.js';
import { alreadyThere, type PackedFile, pack } from './pack.js';
import { bundleReadme } from './readme.js';

export interface SharedBundle {
  files: PackedFile[];
  bytes: number;
  /** How many figures were held against the original's. */
  figures: number;
  /** As `redactedWords` tells it. */
  redacted: string;
  leftOut: string[];
}

export interface ShareOptions {
  reading: ReadOptions;
  /** The environment of whoever shares: the values of its secret variables are taken out. */
  environment: Environment;
}

/**
 * Writes a bundle of a campaign that another person can measure again to the same figures: its logs and records without secrets and home
 * paths, and the report made of them. The redacted copy is measured first and held against the original; where a figure differs nothing
 * is written. The campaign folder is only read.
 */
export async function shareCampaign(
  dir: string,
  target: string,
  { reading: options, environment }: ShareOptions,
): Promise<Result<SharedBundle>> {
  const place = existsSync(dir) ? realpathSync(dir) : resolve(dir);
  const refused = refuseTarget(place, resolve(target));
  if (refused) return fail(refused);
  const redactor = campaignRedactor(place, environment);
  const original = await makeReport(place, options, redactor);
  if (!original.ok) return original;
  const root = mkdtempSync(join(tmpdir(), 'agent-eval-share-'));
  try {
    return await bundle(place, resolve(target), { root, original: original.value, options, redactor });
  } catch (error) {
    // A full disk, or a file that went away while it was read.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return fail({ reason: 'io', message: `could not make the bundle: ${messageOf(error)}` });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function refuseTarget(dir: string, target: string) {
  const bad = (message: string, advice: string) => ({ reason: 'bad-input' as const, message, advice });
  if (!/\.(?:tar\.gz|tgz)$/.test(target)) return bad(`--share ${target}: a bundle is a .tar.gz`, 'name it so');
  if (!existsSync(dirname(target))) return bad(`there is no such folder: ${dirname(target)}`, 'make it first');
  if ((realpathSync(dirname(target)) + sep).startsWith(dir + sep)) {
    return bad(`--share ${target} lies in the campaign folder, which stays as it is`, 'write it beside the folder');
  }
  if (existsSync(target)) return alreadyThere(target);
  return undefined;
}

interface Work {
  root: string;
  original: CampaignReport;
  options: ReadOptions;
  redactor: Redactor;
}

async function bundle(dir: string, target: string, work: Work): Promise<Result<SharedBundle>> {
  const { root, original, options, redactor } = work;
  const name = basename(dir);
  const tree = join(root, 'bundle');
  const plan = readPlan(dir);
  const { files, leftOut } = filesToShare(dir, plan.ok && !options.published ? plan.value : undefined);
  const sources = [...files.map((file) => ({ ...file, from: dir, to: name })), ...noiseFiles(dir, work)];
  for (const { from, path, kind } of sources) learnFile(join(from, path), kind, redactor);
  redactor.recount();
  for (const { from, to, path, kind } of sources) {
    const place = join(tree, to, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, redactedBytes(join(from, path), kind, redactor));
  }
  const redacted = redactedWords(redactor.found());
  const copy = join(tree, name);
  // What an A/A campaign showed lies beside the copy, wherever it was named.
  const made = await makeReport(copy, { ...options, noise: undefined }, redactor);
  if (!made.ok) return made;
  const figures = heldAgainst(original, made.value);
  if (!figures.ok) return figures;
  const facts = { campaign: name, scripted: original.measured.plan?.regime.rehearsal ?? false, options };
  const written = await writeReports(copy, made.value, redactor);
  if (!written.ok) return written;
  writeFileSync(join(copy, 'README.txt'), bundleReadme({ ...facts, redacted, leftOut, figures: figures.value }));
  const packed = await pack(tree, target);
  if (!packed.ok) return packed;
  return ok({ files: packed.value, bytes: statSync(target).size, figures: figures.value, redacted, leftOut });
}

/** What an A/A campaign showed is read from its folder, beside this one: of it, what is read. */
function noiseFiles(
  dir: string,
  { original, options }: Work,
): { from: string; to: string; path: string; kind: FileKind }[] {
  const { verdicts } = original.measured;
  const id = verdicts?.noise?.campaign;
  if (id === undefined || id === basename(dir)) return [];
  const beside = join(dirname(dir), id);
  const from = existsSync(beside) || options.noise === undefined ? beside : resolve(options.noise);
  return [CAMPAIGN_FILES.plan, CAMPAIGN_FILES.manifest, CAMPAIGN_FILES.reportJson].map((path) => {
    return { from, to: id, path, kind: 'json' as const };
  });
}

/** How many figures both reports have; fails where one differs, with their names. */
function heldAgainst(original: CampaignReport, copy: CampaignReport): Result<number> {
  const expected: unknown = JSON.parse(original.json);
  const differing = differingFigures(expected, JSON.parse(copy.json));
  if (differing.length === 0) return ok(countFigures(expected));
  const shown = differing.slice(0, 20).map((path) => `  ${path}`);
  const more = differing.length > shown.length ? [`  and ${differing.length - shown.length} more`] : [];
  return fail({
    reason: 'unexpected',
    message: [`redacted, the campaign has other figures, so nothing was written:`, ...shown, ...more].join('\n'),
    advice:
      'a campaign that still runs changes while it is read; else this is a fault of the redaction: please report it',
  });
}

/** The reports of the copy, in which logs are named from its folder on. */
async function writeReports(copy: string, report: CampaignReport, redactor: Redactor): Promise<Result<string>> {
  // The place for temporary files can lie in the home folder.
  const places = [`${copy}${sep}`, `${redactor.text(copy)}${sep}`];
  const write = (name: string, text: string) =>
    writeFileSync(
      join(copy, name),
      places.reduce((rest, place) => rest.replaceAll(place, ''), text),
    );
  write(CAMPAIGN_FILES.reportText, reportFile(report));
  write(CAMPAIGN_FILES.reportJson, `${report.json}\n`);
  write('report.md', report.markdown);
  write('report.csv', `${report.csv}\n`);
  const { runs } = JSON.parse(report.json);
  write('measures.json', `${JSON.stringify(runs, null, 2)}\n`);
  const { writeHtml } = await import('../../analysis/index.js');
  const html = await writeHtml(report.measured, { redactor });
  if (html.ok) write(basename(html.value), readFileSync(html.value, 'utf8'));
  return html;
}
