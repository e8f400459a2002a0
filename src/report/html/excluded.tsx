import { plural } from '../numbers.js';
import type { RegimeBox } from '../repo-sections.js';
import { runAnchor } from './anchors.js';
import type { HtmlExcluded, HtmlReport } from './model.js';
import { Facts } from './parts.js';

/** Part 6: every run that is in no figure, why, and what it said last. */
export function Excluded({ report: { excluded, notRun, runs } }: { report: HtmlReport }) {
  return (
    <section aria-labelledby="excluded">
      <h2 id="excluded">Excluded and failed</h2>
      {excluded.length === 0 ? (
        <p>
          None: {runs.length === 1 ? 'the one finished run counts' : `all ${plural(runs.length, 'finished run')} count`}
          .
        </p>
      ) : (
        <p class="lead">
          {plural(excluded.length, 'run')} in none of the figures; what they did around the MCP server is counted all
          the same.
        </p>
      )}
      {excluded.map((one) => (
        <OneExcluded one={one} />
      ))}
      {notRun.length === 0 ? null : (
        <>
          <h3>Planned and not run</h3>
          <p>{notRun.join(', ')}</p>
        </>
      )}
    </section>
  );
}

function OneExcluded({ one }: { one: HtmlExcluded }) {
  const { name, task, tails, hasPage, failure } = one;
  const id = runAnchor(name, task);
  return (
    <article>
      <h3 id={`excluded-${id}`}>
        {name} <span class="chip bad">{one.cause}</span>
      </h3>
      <Facts rows={causeFacts(one)} />
      {failure?.lastLines && failure.lastLines.length > 0 ? (
        <>
          <h4>Its last lines</h4>
          <pre>{failure.lastLines.join('\n')}</pre>
        </>
      ) : null}
      {tails.map((tail) => (
        <>
          <h4>
            End of <a href={tail.href}>{tail.name}</a>
          </h4>
          <pre>{tail.lines.join('\n')}</pre>
        </>
      ))}
      {hasPage ? (
        <p class="small">
          <a href={`#${id}`}>What it did, request by request</a>
        </p>
      ) : null}
    </article>
  );
}

function causeFacts({ arm, detail, outcome, failure, ends }: HtmlExcluded): RegimeBox {
  const facts: RegimeBox = [['arm', arm]];
  if (outcome !== null) facts.push(['outcome', outcome]);
  if (detail !== null) facts.push(['why', detail]);
  if (failure !== null) {
    if (failure.message !== detail) facts.push(['failure', failure.message]);
    facts.push(['reason', [failure.reason, failure.cause].filter((part) => part !== undefined).join(', ')]);
    if (failure.command !== undefined) facts.push(['command', failure.command]);
    if (failure.exitCode !== undefined && failure.exitCode !== null)
      facts.push(['exit code', String(failure.exitCode)]);
    if (failure.signal) facts.push(['signal', failure.signal]);
    if (failure.advice !== undefined) facts.push(['what to do', failure.advice]);
  }
  for (const end of ends) facts.push(['process', end]);
  return facts;
}
