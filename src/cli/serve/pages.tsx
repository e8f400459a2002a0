import { basename } from 'node:path';
import type { Result } from '../../model/failure.js';
import type { loadPageParts, NightlyEntry } from '../../report/index.js';
import { visibleText } from '../../util/visible-text.js';
import type { CampaignLine } from '../commands/campaigns.js';

type Parts = Awaited<ReturnType<typeof loadPageParts>>;

/** Height and step of a trend's chart, in units of its viewBox. */
const TREND = { height: 90, step: 22, edge: 12 };

/** Returns the address of a campaign's report below the server's root. */
export function reportPath(id: string): string {
  return `/c/${encodeURIComponent(id)}/report.html`;
}

interface ListInput {
  folder: string;
  campaigns: CampaignLine[];
  nightlies: { name: string; history: Result<NightlyEntry[]> }[];
}

/** The list of campaigns, the newest first, and the trends of nightly campaigns. */
export function renderList({ folder, campaigns, nightlies }: ListInput, parts: Parts): string {
  const { Table } = parts;
  const newest = campaigns.toSorted((a, b) => (b.startedAt ?? '').localeCompare(a.startedAt ?? ''));
  return parts.renderDocument({
    title: 'Campaigns',
    body: (
      <main>
        <h1>Campaigns</h1>
        <p class="lead">{visibleText(folder)}</p>
        {newest.length === 0 ? <p>There is no campaign in this folder.</p> : null}
        <Table head={['campaign', 'started', 'state', 'runs', 'cost', 'against another']} id="campaigns">
          {newest.map((line) => (
            <tr>
              <th scope="row">
                <a href={reportPath(line.id)}>{visibleText(line.id)}</a>
              </th>
              <td>{line.startedAt?.slice(0, 16).replace('T', ' ') ?? '—'}</td>
              <td class={line.state === 'incomplete' ? 'bad' : undefined}>{line.state}</td>
              <td>{runsText(line)}</td>
              <td>{line.scripted ? 'scripted' : `$${line.costUsd.toFixed(2)}`}</td>
              <td>
                <a href={`/against/${encodeURIComponent(line.id)}`}>compare {visibleText(line.id)} with …</a>
              </td>
            </tr>
          ))}
        </Table>
        {nightlies.map(({ name, history }) =>
          history.ok ? (
            <Nightly name={name} entries={history.value} campaigns={campaigns} parts={parts} />
          ) : (
            <p class="bad">
              The nightly runs of {visibleText(name)} cannot be read: {visibleText(history.failure.message)}
            </p>
          ),
        )}
      </main>
    ),
  });
}

function runsText({ valid, invalid, failed, notRun }: CampaignLine): string {
  const counts: [number, string][] = [
    [valid, 'valid'],
    [invalid, 'invalid'],
    [failed, 'failed'],
    [notRun, 'to run'],
  ];
  return counts.flatMap(([n, word]) => (n > 0 ? [`${n} ${word}`] : [])).join(', ');
}

interface NightlyProps {
  name: string;
  entries: NightlyEntry[];
  campaigns: CampaignLine[];
  parts: Parts;
}

/** A nightly campaign: the effect of every metric with a margin, run by run, and its verdicts. */
function Nightly({ name, entries, campaigns, parts: { Table } }: NightlyProps) {
  const known = new Set(campaigns.map(({ id }) => id));
  const keys = new Map<string, NightlyEntry['metrics'][number]>();
  for (const metric of entries.flatMap(({ metrics }) => metrics))
    if (metric.margin !== null) keys.set(`${metric.arm}: ${metric.label}`, metric);
  return (
    <section>
      <h2 id={`nightly-${name}`}>Nightly runs of {visibleText(name)}</h2>
      {[...keys].map(([title, { arm, metric, margin, unit }]) => (
        <Trend
          title={`${visibleText(title)}, ${unit}`}
          margin={margin ?? 0}
          values={entries.map(
            ({ metrics }) => metrics.find((one) => one.arm === arm && one.metric === metric)?.effect ?? null,
          )}
        />
      ))}
      <Table head={['night', 'verdict', 'campaign', 'against']}>
        {entries.toReversed().map(({ at, verdict, campaign, baseline }) => (
          <tr>
            <th scope="row">{at.slice(0, 16).replace('T', ' ')}</th>
            <td class={verdict === 'regression' ? 'bad' : undefined}>{verdict}</td>
            <td>{linked(campaign, known)}</td>
            <td>{linked(baseline, known)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** A campaign that a nightly run names by its folder. A link if it lies in the served folder. */
function linked(folder: string | null, known: Set<string>) {
  if (folder === null) return '—';
  const id = basename(folder);
  return known.has(id) ? <a href={reportPath(id)}>{visibleText(id)}</a> : visibleText(id);
}

/** The effects of one metric, a point for each nightly run; the band is the margin. A run without an effect is a gap. */
function Trend({ title, margin, values }: { title: string; margin: number; values: (number | null)[] }) {
  const { height, step, edge } = TREND;
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const reach = Math.max(margin * 1.5, ...known.map(Math.abs)) || 1;
  const y = (value: number) => Math.round((height / 2 - (value / reach) * (height / 2 - edge)) * 10) / 10;
  const x = (index: number) => edge + index * step;
  const width = x(Math.max(1, values.length - 1)) + edge;
  const words = values.map((value) => (value === null ? '—' : value.toFixed(1))).join(', ');
  return (
    <figure class="chart">
      <figcaption>
        {title}: {words}
      </figcaption>
      <svg
        class="strip inconclusive"
        viewBox={`0 0 ${width} ${height}`}
        style={`max-width:${width}px`}
        role="img"
        aria-label={`${title}: ${words}`}
      >
        <rect class="band" x="0" y={y(margin)} width={width} height={y(-margin) - y(margin)} />
        <line class="zero" x1="0" x2={width} y1={y(0)} y2={y(0)} />
        {values.map((value, index) =>
          value === null ? null : <circle class="dot" cx={x(index)} cy={y(value)} r="4" />,
        )}
      </svg>
    </figure>
  );
}

/** The campaigns that one can be compared with. */
export function renderChoice(id: string, campaigns: CampaignLine[], parts: Parts): string {
  const others = campaigns.filter((line) => line.id !== id);
  const title = `Compare ${visibleText(id)} with …`;
  return parts.renderDocument({
    title,
    body: (
      <main>
        <h1>{title}</h1>
        {others.length === 0 ? <p>There is no other campaign in this folder.</p> : null}
        <ul>
          {others.map((line) => (
            <li>
              <a href={`/against/${encodeURIComponent(id)}/${encodeURIComponent(line.id)}`}>{visibleText(line.id)}</a>
            </li>
          ))}
        </ul>
        <p>
          <a href="/">All campaigns</a>
        </p>
      </main>
    ),
  });
}

/** A printed text, such as a comparison or a failure, as a page. */
export function renderText(title: string, text: string, parts: Parts): string {
  return parts.renderDocument({
    title: visibleText(title),
    body: (
      <main>
        <h1>{visibleText(title)}</h1>
        <pre>{text.split('\n').map(visibleText).join('\n')}</pre>
        <p>
          <a href="/">All campaigns</a>
        </p>
      </main>
    ),
  });
}
