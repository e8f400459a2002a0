import type { loadPageParts } from '../report/index.js';
import { callDifference, rangeText } from './render-diff.js';
import { caseCells, casesInOrder, nondeterministicLine, STATE_WORDS } from './render-text.js';
import type { CallFacts, CaseResult, Latency, ReplayReport } from './report-schema.js';

type Parts = Awaited<ReturnType<typeof loadPageParts>>;

/** The whole page. Two bars for each call show how both builds divided the response among files. */
export function renderPage(report: ReplayReport, parts: Parts): string {
  const { new: ours, baseline } = report;
  const title = `Replay: ${ours.title} against ${baseline.title}`;
  return parts.renderDocument({ title, body: <Page title={title} report={report} parts={parts} /> });
}

function Page({ title, report, parts }: { title: string; report: ReplayReport; parts: Parts }) {
  const { Facts, Table } = parts;
  const { gate, caveat, index, repeats, suites } = report;
  const cases = casesInOrder(report);
  return (
    <main>
      <h1>{title}</h1>
      <p class="lead">
        <b class={gate.result === 'pass' ? undefined : 'bad'}>{gate.result.toUpperCase()}</b>: {gate.text}
      </p>
      <p class="banner">{caveat}</p>
      <Facts
        rows={[
          ['index', index === 'own' ? 'each build its own' : `that of the ${index} build for both`],
          ['repeats', String(repeats)],
          ...suites.map(({ name, pin, failure, latency }): [string, string] => [
            name,
            failure ? `not run: ${failure.message}` : `${pin}; ${latency ? latencyText(latency) : ''}`,
          ]),
        ]}
      />
      <h2 id="cases">Cases, losses first</h2>
      <Table head={['case', 'state', 'source chars', 'files', 'gold lines', 'gold files']}>
        {cases.map(({ suite, result }) => (
          <tr>
            <th scope="row">
              <a href={`#${anchor(suite, result)}`}>
                {suite}/{result.id}
              </a>
            </th>
            <td>{STATE_WORDS[result.state]}</td>
            {caseCells(result).map((cell) => (
              <td class="n">{cell}</td>
            ))}
          </tr>
        ))}
      </Table>
      <h2 id="responses">Responses</h2>
      <p class="lead">
        The upper bar is the baseline, the lower one the new build. Hold the pointer over a part to see its lines.
      </p>
      {cases
        .filter(({ result }) => result.state !== 'equal')
        .map(({ suite, result }) => (
          <Case suite={suite} result={result} />
        ))}
    </main>
  );
}

function Case({ suite, result }: { suite: string; result: CaseResult }) {
  return (
    <section id={anchor(suite, result)}>
      <h3>
        {suite}/{result.id}: {STATE_WORDS[result.state]}
      </h3>
      <ul>
        {result.findings.map(({ text, accepted }) => (
          <li>{accepted === null ? text : `${text} (accepted: ${accepted})`}</li>
        ))}
        {result.nondeterministic.map((one) => (
          <li>{nondeterministicLine(one).trim()}</li>
        ))}
      </ul>
      {result.calls.map((call, index) => (
        <>
          <p class="small">
            call {index + 1}: <code>{call.tool}</code> <code>{JSON.stringify(call.arguments)}</code>
          </p>
          <Bars baseline={call.baseline} ours={call.new} />
          <pre>{callDifference(call.baseline, call.new).join('\n')}</pre>
        </>
      ))}
    </section>
  );
}

const COLORS = ['tool', 'read', 'search', 'bash', 'other', 'base'];
const WIDTH = 1_000;
const BAR_HEIGHT = 16;

/** Both responses to one scale: a file has the same colour in both. */
function Bars({ baseline, ours }: { baseline: CallFacts; ours: CallFacts }) {
  const longest = Math.max(1, baseline.chars, ours.chars);
  const paths = [...new Set([...baseline.files, ...ours.files].map(({ path }) => path))];
  return (
    <svg viewBox={`0 0 ${WIDTH} ${2 * BAR_HEIGHT + 4}`} width="100%" role="img" aria-label="characters by file">
      {[baseline, ours].map((call, row) => {
        let x = 0;
        return call.files.map(({ path, chars, ranges }) => {
          const from = x;
          const width = (chars / longest) * WIDTH;
          x += width;
          const color = COLORS[paths.indexOf(path) % COLORS.length];
          return (
            <rect
              x={from}
              y={row * (BAR_HEIGHT + 4)}
              width={width}
              height={BAR_HEIGHT}
              style={`fill:var(--family-${color})`}
            >
              <title>{`${path}: ${chars} characters, lines ${rangeText(ranges)}`}</title>
            </rect>
          );
        });
      })}
    </svg>
  );
}

function anchor(suite: string, { id }: CaseResult): string {
  return `case-${suite}--${id}`;
}

function latencyText({ new: ours, baseline }: { new: Latency; baseline: Latency }): string {
  const side = ({ warmP50Ms, warmP95Ms }: Latency) => `p50 ${warmP50Ms ?? '—'} ms, p95 ${warmP95Ms ?? '—'} ms`;
  return `warm calls: baseline ${side(baseline)}; new ${side(ours)}`;
}
