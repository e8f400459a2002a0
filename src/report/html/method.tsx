import type { MetricKind } from '../../model/verdict.js';
import { signed, unitOf, unitSign } from '../../statistics/index.js';
import { MISSING, plural } from '../numbers.js';
import { runAnchor } from './anchors.js';
import { meaningRows, STATISTICS } from './meanings.js';
import type { HtmlReport } from './model.js';
import { Facts, Table } from './parts.js';

/** Everything about method and caveats behind one click, and the glossary behind another. */
export function Method({ report }: { report: HtmlReport }) {
  return (
    <>
      <MethodPart report={report} />
      <section aria-labelledby="glossary">
        <h2 id="glossary">Glossary</h2>
        <details class="more">
          <summary>What every metric and every word about a run means</summary>
          <Facts rows={meaningRows(report.toolLabel)} />
        </details>
      </section>
    </>
  );
}

function MethodPart({ report }: { report: HtmlReport }) {
  return (
    <section aria-labelledby="method" id="method-part">
      <h2 id="method">Method and caveats</h2>
      <details class="more">
        <summary>Statistics, margins, warnings, caveats, and how the campaign was run</summary>
        <Warnings report={report} />
        <h3>Statistics</h3>
        <ul>
          {STATISTICS.map((line) => (
            <li>{line}</li>
          ))}
        </ul>
        <Declared report={report} />
        <Flagged report={report} />
        <h3>Tasks</h3>
        <Tasks report={report} />
        <h3>How the campaign was run</h3>
        <Facts
          rows={
            report.facts.length === 0 ? [['manifest', 'none: these logs are not of a campaign of ours']] : report.facts
          }
        />
      </details>
    </section>
  );
}

function Warnings({ report: { tasks } }: { report: HtmlReport }) {
  const warnings = tasks.flatMap(({ comparison, title }) =>
    comparison.warnings.map(({ message, advice }) => ({ title, text: `${message} → ${advice}` })),
  );
  const texts = [...new Set(warnings.map(({ text }) => text))];
  const caveats = [...new Set(tasks.flatMap(({ comparison }) => comparison.caveats))];
  return (
    <>
      <h3 id="warnings">Warnings</h3>
      {texts.length === 0 ? (
        <p>None.</p>
      ) : (
        <ul>
          {texts.map((text) => (
            <li>
              {tasks.length > 1
                ? `${warnings.flatMap((one) => (one.text === text ? one.title : [])).join(', ')}: `
                : ''}
              {text}
            </li>
          ))}
        </ul>
      )}
      <h3>Caveats</h3>
      <ul>
        {caveats.map((caveat) => (
          <li>{caveat}</li>
        ))}
      </ul>
    </>
  );
}

const KIND_WORDS: Record<MetricKind, string> = {
  ratio: 'ratio of geometric means',
  count: 'ratio of geometric means of one more',
  share: 'difference of means',
  binary: 'difference of shares of runs',
  pooled: 'difference of shares over all calls',
  totals: 'ratio of totals',
};

/** What was declared before the runs. */
function Declared({ report: { verdicts, charts } }: { report: HtmlReport }) {
  return (
    <>
      <h3>Declared before the runs{verdicts === null ? '' : ` (seed of the resampling: ${verdicts.seed})`}</h3>
      <Table head={['metric', 'role', 'compared as', 'better', 'margin']}>
        {charts.metrics.map(({ label, role, kind, better, margin }) => (
          <tr>
            <th scope="row">{label}</th>
            <td>{role}</td>
            <td>{KIND_WORDS[kind]}</td>
            <td>{better}</td>
            <td>
              ±{margin}
              {unitSign({ unit: unitOf(kind) })}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

/** Runs that are worth a look, none of them dropped for it; and pairs that lost a side. */
function Flagged({ report: { verdicts, runs, excluded } }: { report: HtmlReport }) {
  const tasksOf = new Map(runs.map(({ chart }) => [chart.name, chart.task]));
  const metrics = verdicts?.metrics ?? [];
  const flagged = metrics.filter(({ diagnostics }) => diagnostics.outliers.length > 0);
  const ordered = metrics.filter(({ diagnostics: { order } }) => order?.interval && isBeyondZero(order.interval));
  const dropped = [...new Set(metrics.flatMap((metric) => metric.dropped))];
  return (
    <>
      <h3>Flagged, dropped</h3>
      <ul>
        {flagged.map(({ metric, diagnostics }) => (
          <li>
            {metric.label}, far from the other runs of its task, kept:{' '}
            {diagnostics.outliers.map(({ run, z }, index) => (
              <>
                {index === 0 ? '' : ', '}
                <a href={`#${runAnchor(run, tasksOf.get(run) ?? null)}`}>{run}</a> (z {z.toFixed(1)})
              </>
            ))}
          </li>
        ))}
        {ordered.map((verdict) => (
          <li>
            {verdict.metric.label}: the order matters;{' '}
            {signed(verdict.diagnostics.order?.effect ?? 0, unitSign(verdict))} between the blocks in which either arm
            ran first
          </li>
        ))}
        <li>Pairs that lost a side: {dropped.length === 0 ? 'none' : dropped.join(', ')}</li>
        <li>
          Left out of every figure: {excluded.length === 0 ? 'none' : `${plural(excluded.length, 'run')}, named under `}
          {excluded.length === 0 ? null : <a href="#excluded">Excluded and failed</a>}
        </li>
      </ul>
    </>
  );
}

function isBeyondZero([low, high]: [number, number]): boolean {
  return low > 0 || high < 0;
}

function Tasks({ report: { tasks } }: { report: HtmlReport }) {
  return (
    <Table head={['task', 'on', 'prompts of one session']}>
      {tasks.map(({ title, target, prompts }) => (
        <tr>
          <th scope="row">{title}</th>
          <td>{target ?? MISSING}</td>
          <td>{prompts.length === 0 ? MISSING : prompts.map((prompt, index) => <p>{`${index + 1}. ${prompt}`}</p>)}</td>
        </tr>
      ))}
    </Table>
  );
}
