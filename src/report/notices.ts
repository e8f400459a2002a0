import type { Failure } from '../model/failure.js';
import { failureAdvice } from '../model/failure-kind.js';
import type { FenceLevel, Regime } from '../model/plan.js';
import { clean, oneLine } from './clean.js';
import type { DoctorCheck } from './schema/report.js';

/** First line of every report whose model was scripted; undefined for a real model. */
export function scriptedBanner(regime: Pick<Regime, 'rehearsal'> | null, toolLabel: string): string | undefined {
  return regime?.rehearsal ? `scripted model: the figures show the harness, not ${oneLine(toolLabel)}` : undefined;
}

/** How the agent was fenced in: the report's next line, its first when the fence did not hold. */
export function fenceLine(level: FenceLevel): string {
  if (level === 'full') return 'fence: full (docs/isolation.md)';
  const open = level === 'shell' ? 'only Bash was fenced' : 'nothing but the hook and the PATH kept the arms apart';
  return `NOT FULLY FENCED (${level}): ${open}; docs/isolation.md says what that lets through`;
}

/** Every check with its state, the remedy under each that needs one, and a closing line. */
export function renderDoctor(checks: DoctorCheck[]): string {
  const width = Math.max(0, ...checks.map((check) => oneLine(check.name).length));
  const lines = checks.flatMap(({ name, state, detail, remedy }) => {
    const line = `${state.padEnd(8)}${oneLine(name).padEnd(width)}  ${oneLine(detail)}`.trimEnd();
    return remedy === undefined ? [line] : [line, `${' '.repeat(8 + width)}  → ${oneLine(remedy)}`];
  });
  const problems = checks.filter((check) => check.state === 'problem').length;
  const verdict = problems === 0 ? 'ready' : `not ready: ${problems} problem${problems === 1 ? '' : 's'}`;
  return [...lines, '', verdict].join('\n');
}

/** Every fault of a config with its path in the file. */
export function renderConfigFaults(faults: { path: string; message: string }[]): string {
  const lines = faults.map(
    ({ path, message }) => `  ${path === '' ? '(the config)' : oneLine(path)}: ${oneLine(message)}`,
  );
  return [`the config has ${faults.length} fault${faults.length === 1 ? '' : 's'}:`, ...lines].join('\n');
}

/** What failed and why (command, exit code or signal, its last lines), then what to do next. No newline at the end. */
export function renderFailure(failure: Failure): string {
  const lines = [`failed (${failure.reason}): ${clean(failure.message).trim()}`];
  if (failure.command !== undefined) lines.push(`  command: ${oneLine(failure.command)}`);
  if (failure.signal !== undefined && failure.signal !== null) lines.push(`  ended by signal: ${failure.signal}`);
  else if (failure.exitCode !== undefined && failure.exitCode !== null) lines.push(`  exit code: ${failure.exitCode}`);
  if (failure.lastLines !== undefined && failure.lastLines.length > 0) {
    lines.push('  its last lines:', ...failure.lastLines.map((line) => `    | ${oneLine(line)}`));
  }
  lines.push(`  → ${clean(failureAdvice(failure)).trim()}`);
  return lines.join('\n');
}
