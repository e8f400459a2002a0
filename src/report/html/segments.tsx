import type { PageCall, PageItem, PageRequest, PageSegment, RunPage } from '../../model/run-page.js';
import { durationWithTenths, grouped, groupedOrMissing } from '../numbers.js';
import type { HtmlFile } from './model.js';
import { toolName } from './tool-name.js';

/** Every request of a run, segment by segment: a border with the prompt and what it cost, then the requests in order. */
export function Segments({ page, id, logs }: { page: RunPage; id: string; logs: HtmlFile[] }) {
  // From one main-thread request to the next, over segments too: what joined the window.
  let before: number | null = null;
  return (
    <>
      {page.segments.map((segment, index) => {
        const first = before;
        before = segment.items.reduce((last, item) => mainSize(item) ?? last, before);
        return <Segment segment={segment} number={index + 1} of={page.segments.length} id={id} before={first} />;
      })}
      {logs.length === 0 ? <p>No transcript.</p> : null}
    </>
  );
}

function mainSize(item: PageItem): number | null {
  return item.kind === 'request' && item.thread === null ? item.ctxTokens : null;
}

function Segment(props: { segment: PageSegment; number: number; of: number; id: string; before: number | null }) {
  const { segment, number, of, id } = props;
  let { before } = props;
  return (
    <>
      <div class="seg">
        <h4>
          Prompt {number} of {of}
        </h4>
        <span class="k">{segmentFacts(segment)}</span>
      </div>
      {segment.prompt === null ? null : <p class="ask">{segment.prompt}</p>}
      <ol class="q">
        {segment.items.map((item) => {
          if (item.kind !== 'request') return <li class="note">{item.text}</li>;
          const size = mainSize(item);
          const grown = size !== null && before !== null ? size - before : null;
          before = size ?? before;
          return <Request request={item} grown={grown} id={id} startedAt={segment.startedAt} />;
        })}
      </ol>
    </>
  );
}

function segmentFacts({ costUsd, durationMs, outputTokens, subtype, isError, terminalReason }: PageSegment): string {
  const facts: string[] = [];
  if (subtype === null) facts.push('no result');
  else {
    const how = terminalReason === null || terminalReason === 'completed' ? '' : ` (${terminalReason})`;
    facts.push(`${isError ? 'failed: ' : ''}${subtype.replaceAll('_', ' ')}${how.replaceAll('_', ' ')}`);
  }
  if (costUsd !== null) facts.push(`$${costUsd.toFixed(3)}`);
  if (durationMs !== null) facts.push(durationWithTenths(durationMs));
  if (outputTokens !== null && outputTokens > 0) facts.push(`${grouped(outputTokens)} output tokens`);
  return facts.join(' · ');
}

function Request(props: { request: PageRequest; grown: number | null; id: string; startedAt: string | null }) {
  const { request, grown, id, startedAt } = props;
  const { number, thread, ctxTokens, outputTokens, text, thinkingChars, calls, at } = request;
  const own = thread === null ? `${id}:${number}` : undefined;
  return (
    <li class={thread === null ? undefined : 'sub'} id={own}>
      <div class="k">
        {own === undefined ? `subagent ${number}` : <a href={`#${own}`}>{number}</a>} {groupedOrMissing(ctxTokens)} tok
        {grown === null ? '' : ` ${grown < 0 ? '−' : '+'}${grouped(Math.abs(grown))}`}
        {outputTokens === null ? '' : ` · ${grouped(outputTokens)} out`}
        {at === null ? '' : ` · ${since(startedAt, at)}`}
      </div>
      <div>
        {text === '' ? null : <p>{text}</p>}
        {thinkingChars > 0 ? <p class="k">thinking, {grouped(thinkingChars)} characters</p> : null}
        {calls.length === 0 ? null : (
          <ul class="c">
            {calls.map((call) => (
              <Call call={call} startedAt={startedAt} />
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

const HOOK_WORDS = { denied: 'denied by the hook', passed: 'passed by the hook', failed: 'the hook failed' } as const;

function Call({ call, startedAt }: { call: PageCall; startedAt: string | null }) {
  const { name, input, hook, result } = call;
  const isBad = result?.isError ?? true;
  return (
    <li data-e={isBad ? '1' : undefined} data-h={hook ?? undefined}>
      <b>{toolName(name)}</b> <code>{input}</code> <i>{resultWords(call, startedAt)}</i>
      {hook === null ? null : <i class={hook === 'passed' ? undefined : 'bad'}> · {HOOK_WORDS[hook]}</i>}
      {result === null || result.preview === '' ? null : (
        <q class={result.isError ? 'e' : undefined}>{result.preview}</q>
      )}
    </li>
  );
}

function resultWords({ result }: PageCall, startedAt: string | null): string {
  if (result === null) return '→ no result';
  const when = result.at === null ? '' : `, ${since(startedAt, result.at)}`;
  return `→ ${result.isError ? 'error, ' : ''}${grouped(result.chars)} chars${when}`;
}

/** Time since the segment began; the time itself where that is not known. */
function since(startedAt: string | null, at: string): string {
  const ms = startedAt === null ? Number.NaN : Date.parse(at) - Date.parse(startedAt);
  if (Number.isNaN(ms)) return at;
  return `at ${(ms / 1000).toFixed(1)}s`;
}
