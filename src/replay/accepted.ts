import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { fail, ok, type Result } from '../model/failure.js';
import { type CaseResult, type Finding, type ReplayReport, RULES } from './report-schema.js';

/** The accepted changes of the suites of a folder. It belongs under version control, beside them. */
export const LOCK_FILE = 'replay.lock.json';

const acceptedSchema = z.strictObject({
  suite: z.string(),
  case: z.string(),
  because: z.string().trim().min(1, 'must not be empty'),
  new: z.string().describe('the build whose change was accepted'),
  baseline: z.string(),
  findings: z.array(z.strictObject({ rule: z.enum(RULES), subject: z.string() })).min(1),
});
export type Accepted = z.infer<typeof acceptedSchema>;

const lockSchema = z.strictObject({ format: z.literal(1), accepted: z.array(acceptedSchema) });

/** Reads the accepted changes beside a suite's file; none where there is no such file. Fails with 'bad-input'. */
export function readAccepted(suiteFile: string): Result<Accepted[]> {
  const file = join(dirname(suiteFile), LOCK_FILE);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok([]);
    return fail({ reason: 'bad-input', message: `${file} could not be read: ${String(error)}` });
  }
  try {
    const parsed = lockSchema.safeParse(JSON.parse(text));
    if (parsed.success) return ok(parsed.data.accepted);
    return fail({ reason: 'bad-input', message: `${file} has errors:\n${z.prettifyError(parsed.error)}` });
  } catch (error) {
    return fail({ reason: 'bad-input', message: `${file} is no JSON: ${String(error)}` });
  }
}

/** Marks the findings that were accepted. A case whose findings are all accepted is not worse. */
export function applyAccepted(suite: string, result: CaseResult, accepted: Accepted[]): CaseResult {
  const own = accepted.filter((entry) => entry.suite === suite && entry.case === result.id);
  const findings = result.findings.map((finding): Finding => {
    const entry = own.find((one) => one.findings.some((known) => isSame(known, finding)));
    return { ...finding, accepted: entry?.because ?? null };
  });
  const isAccepted = result.state === 'worse' && findings.every((finding) => finding.accepted !== null);
  return { ...result, findings, state: isAccepted ? 'accepted' : result.state };
}

const isSame = (a: Pick<Finding, 'rule' | 'subject'>, b: Pick<Finding, 'rule' | 'subject'>) =>
  a.rule === b.rule && a.subject === b.subject;

/**
 * Records the findings of one case of a report as accepted, with the reason, beside the suite's file. Returns the file that was
 * written. Fails with 'bad-input' where the report has no such case, or the case has nothing to accept.
 */
export function acceptCase(
  report: ReplayReport,
  wanted: { suite: string | undefined; case: string; because: string },
): Result<{ file: string; findings: Finding[] }> {
  const found = report.suites.flatMap(({ name, file, cases }) =>
    wanted.suite === undefined || wanted.suite === name
      ? cases.filter(({ id }) => id === wanted.case).map((result) => ({ suite: name, suiteFile: file, result }))
      : [],
  );
  const [only, ...others] = found;
  if (only === undefined) return refuse(`the last replay has no case "${wanted.case}"`);
  if (others.length > 0) {
    return refuse(
      `"${wanted.case}" is a case of several suites: ${found.map(({ suite }) => suite).join(', ')}`,
      'add --suite',
    );
  }
  const { suite, suiteFile, result } = only;
  if (wanted.because.trim() === '') return refuse('--because: the reason is empty', 'say why the change is wanted');
  const findings = result.findings.filter(({ accepted }) => accepted === null);
  if (findings.length === 0)
    return refuse(`the case "${wanted.case}" has no finding to accept`, 'only a case that is worse can be accepted');
  const earlier = readAccepted(suiteFile);
  if (!earlier.ok) return earlier;
  const entry: Accepted = {
    suite,
    case: result.id,
    because: wanted.because,
    new: report.new.title,
    baseline: report.baseline.title,
    findings: findings.map(({ rule, subject }) => ({ rule, subject })),
  };
  const file = join(dirname(suiteFile), LOCK_FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify({ format: 1, accepted: [...earlier.value, entry] }, null, 2)}\n`);
  renameSync(`${file}.new`, file);
  return ok({ file, findings });
}

function refuse(message: string, advice = 'run `agent-eval replay` first; it saves its report'): Result<never> {
  return fail({ reason: 'bad-input', message, advice });
}
