import type { ArmSummary } from '../../model/summary.js';
import type { ArmValidity } from '../../model/verdict.js';
import { fenceLine, scriptedBanner } from '../notices.js';
import { grouped, MISSING, plural, wholePercent } from '../numbers.js';
import { Answers } from './answers.js';
import type { HtmlArm, HtmlReport } from './model.js';
import { Facts, Table } from './parts.js';
import { Scroll } from './scroll.js';
import { Verdicts } from './verdict-cards.js';

/** What was compared, in one line: "codegraph 1.6.1 against no codegraph". */
export function titleOf({ arms, toolLabel, name }: HtmlReport): string {
  const [tested, baseline] = arms;
  if (arms.length !== 2 || !tested || !baseline) return `${arms.map(({ label }) => label).join(', ')} — ${name}`;
  if (tested.build === null && baseline.build === null) return `${tested.label} against ${baseline.label} — ${name}`;
  return `${engineOf(tested, toolLabel)} against ${engineOf(baseline, toolLabel)}`;
}

function engineOf({ build }: HtmlArm, toolLabel: string): string {
  return build === null ? `no ${toolLabel}` : `${toolLabel} ${build.title}`;
}

/** Part 1: what was compared and how, the verdicts, and whether the runs may count. */
export function Head({ report }: { report: HtmlReport }) {
  const banner = scriptedBanner({ rehearsal: report.scripted }, report.toolLabel);
  const isOpen = report.fence !== null && report.fence !== 'full';
  return (
    <section aria-labelledby="verdict" id="head">
      {banner === undefined ? null : <p class="banner">{sentence(banner)}.</p>}
      {isOpen && report.fence ? <p class="banner">{sentence(fenceLine(report.fence))}.</p> : null}
      <h1 id="verdict">{titleOf(report)}</h1>
      <p class="lead">{subtitleOf(report)}</p>
      <Verdicts report={report} />
      <Answers report={report} />
      <h2>Can these runs be trusted?</h2>
      <Counts report={report} />
      <Warned report={report} />
      <h2>What was compared</h2>
      <Builds report={report} />
      <details class="more">
        <summary>Settings, equal in {report.arms.length === 2 ? 'both arms' : 'every arm'}</summary>
        <Facts rows={report.regime.filter(([label]) => !label.startsWith('arm '))} columns />
      </details>
    </section>
  );
}

/** The arms of the page's tables, the baseline first as in the charts. */
function baselineFirst({ arms, charts }: HtmlReport): HtmlArm[] {
  return arms.toSorted((a, b) => charts.arms.indexOf(a.label) - charts.arms.indexOf(b.label));
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function subtitleOf({ command, startedAt, tasks, runs, name }: HtmlReport): string {
  const day = startedAt === null ? [] : [startedAt.slice(0, 10)];
  const how = command === null ? [`logs in ${name}`] : [command];
  return [...how, ...day, plural(tasks.length, 'task'), `${plural(runs.length, 'finished run')}`].join(' · ');
}

function Warned({ report: { tasks } }: { report: HtmlReport }) {
  const warnings = new Set(tasks.flatMap(({ comparison }) => comparison.warnings.map(({ message }) => message)));
  if (warnings.size === 0) return null;
  return (
    <p>
      <a href="#warnings">{plural(warnings.size, 'warning')} about these runs</a>, with what to do about{' '}
      {warnings.size === 1 ? 'it' : 'them'}.
    </p>
  );
}

/** Validity and contamination by arm, over all runs, those that do not count included. */
function Counts({ report }: { report: HtmlReport }) {
  const { tasks, verdicts, runs, toolLabel, notRun } = report;
  const rows = baselineFirst(report).map(({ label }) => {
    const summaries = tasks.flatMap(({ comparison }) => comparison.arms.filter((arm) => arm.label === label));
    const attempts = runs.filter(({ chart }) => chart.arm === label).reduce((n, run) => n + run.cliAttempts.length, 0);
    return { label, summaries, attempts, validity: verdicts?.validity.find(({ arm }) => arm === label) };
  });
  return (
    <Table
      id="validity"
      caption={
        <>
          Validity, and {toolLabel} reached for around its MCP server (a lower bound){' '}
          {notRun.length > 0 ? `· ${plural(notRun.length, 'planned trial')} not run` : ''}
        </>
      }
      head={[
        ...['arm', 'runs that count', 'left out', 'cut off', `called ${toolLabel}`],
        ...['CLI: returned / blocked', 'index, daemon: returned / blocked', 'by PATH, blocked'],
      ]}
    >
      {rows.map((row) => (
        <CountsRow {...row} />
      ))}
    </Table>
  );
}

function CountsRow(row: {
  label: string;
  summaries: ArmSummary[];
  attempts: number;
  validity: ArmValidity | undefined;
}) {
  const { label, summaries, attempts, validity } = row;
  const sum = (value: (arm: ArmSummary) => number) => summaries.reduce((total, arm) => total + value(arm), 0);
  const [kept, total] = [sum(({ runs }) => runs.kept.length), sum(({ runs }) => runs.total)];
  const causes = new Map<string, number>();
  for (const { runs } of summaries)
    for (const { cause } of runs.dropped) causes.set(cause, (causes.get(cause) ?? 0) + 1);
  const adopters = sum(({ adoption }) => adoption?.of ?? 0);
  const called = sum(({ adoption }) => adoption?.called ?? 0);
  return (
    <tr>
      <th scope="row">{label}</th>
      <td class={kept < total ? 'bad' : undefined}>
        {grouped(kept)} of {grouped(total)}
      </td>
      <td>{causes.size === 0 ? 'none' : [...causes].map(([cause, n]) => `${n} ${cause}`).join(', ')}</td>
      <td>{validity === undefined ? MISSING : grouped(validity.censored)}</td>
      <td>{adopters === 0 ? MISSING : `${called} of ${adopters} (${wholePercent(called, adopters)})`}</td>
      <Reached
        returned={sum(({ contamination }) => contamination.invoke.returned)}
        blocked={sum(({ contamination }) => contamination.invoke.blocked)}
      />
      <Reached
        returned={sum(({ contamination }) => contamination.data.returned)}
        blocked={sum(({ contamination }) => contamination.data.blocked)}
      />
      <td>{grouped(attempts)}</td>
    </tr>
  );
}

function Reached({ returned, blocked }: { returned: number; blocked: number }) {
  return (
    <td class={returned > 0 ? 'bad' : undefined}>
      {grouped(returned)} / {grouped(blocked)}
    </td>
  );
}

function Builds({ report }: { report: HtmlReport }) {
  const { commits, toolLabel } = report;
  return (
    <Scroll>
      <table>
        <thead>
          <tr>
            <th scope="col">arm</th>
            <th scope="col">{toolLabel}</th>
            <th scope="col">asked for as</th>
            <th scope="col">pinned to</th>
            <th scope="col">says it is</th>
            <th scope="col">settings</th>
          </tr>
        </thead>
        <tbody>
          {baselineFirst(report).map(({ label, build, settings }) => (
            <tr>
              <th scope="row">{label}</th>
              <td>{build === null ? MISSING : build.title}</td>
              <td>{build === null ? MISSING : <code>{build.ref}</code>}</td>
              <td>{build === null ? MISSING : <code>{shortPin(build.pin)}</code>}</td>
              <td>{build?.version ?? MISSING}</td>
              <td>{settings.length === 0 ? MISSING : settings.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {commits === null ? null : (
        <p>
          The change:{' '}
          {commits.href === null ? <code>git log {commits.range}</code> : <a href={commits.href}>{commits.range}</a>}
        </p>
      )}
    </Scroll>
  );
}

/** A commit or a content hash in its first twelve digits, what follows a `+` too. */
function shortPin(pin: string): string {
  return pin.replace(/[0-9a-f]{40,64}/g, (hash) => hash.slice(0, 12));
}
