import type { Measure } from '../model/measure.js';
import { clip, oneLine } from './clean.js';
import { grouped, groupedOrMissing, percent1, plural } from './numbers.js';

/** What the published text does not tell, each only when there is something to tell; led by an empty line. */
export function extraLines(measure: Measure, label: string, onDisk = false): string[] {
  const lines = [
    ...validity(measure, label, onDisk),
    ...responses(measure),
    ...hiddenAdditions(measure),
    ...hiddenRequests(measure),
    ...silentClearings(measure),
    ...duplicates(measure),
    ...subagents(measure, label),
    ...diagnostics(measure),
  ];
  return lines.length === 0 ? [] : ['', '  Also seen:', ...lines.map((line) => `    ${line}`)];
}

function validity(measure: Measure, label: string, onDisk: boolean): string[] {
  const lines: string[] = [];
  if (measure.raced) lines.push(`RACED: ${label} was called before it was attached; this run says nothing about it`);
  const { lostLines, missingSegments } = measure.diagnostics;
  if (lostLines > 0) {
    lines.push(`NOT OK: ${plural(lostLines, 'line')} could not be read, so every figure may be too low; not compared`);
  } else if (missingSegments.length > 0) {
    lines.push(`NOT OK: segment ${missingSegments.join(', ')} of the session is missing; left out of every comparison`);
  } else if (!measure.ok && !onDisk) {
    lines.push('NOT OK: not every prompt has a successful result; left out of every comparison');
  }
  return lines;
}

function responses(measure: Measure): string[] {
  const { noAnswer, undelivered } = measure.sufficiency;
  const { unreadAnswers } = measure.diagnostics;
  const lines: string[] = [];
  if (noAnswer > 0) {
    lines.push(`no answer: ${plural(noAnswer, 'explore response')} delivered no source, and still count above`);
  }
  if (unreadAnswers.length > 0) {
    const example = clip(unreadAnswers[0]?.text ?? '', 80);
    const responses = plural(unreadAnswers.length, 'explore response');
    lines.push(`unread: ${responses} with neither source nor a known message in it, for example "${example}"`);
  }
  if (undelivered > 0) {
    lines.push(
      `undelivered: the host gave the model a preview, a part or a note in place of ${plural(undelivered, 'explore response')}`,
    );
  }
  return lines;
}

function hiddenAdditions({ occupancy }: Measure): string[] {
  if (occupancy === null || occupancy.hiddenGaps === 0) return [];
  const { hiddenGaps, hiddenTokens } = occupancy;
  const times = hiddenGaps === 1 ? 'once' : `${hiddenGaps} times`;
  return [
    `hidden additions: the window grew ${times} by more tokens than the results have characters; about ${grouped(hiddenTokens)} tok that the log does not show are in the base`,
  ];
}

function hiddenRequests({ hidden, pressure }: Measure): string[] {
  const { promptTokens, outputTokens, requests, costUsd } = hidden;
  const lines: string[] = [];
  if (promptTokens !== null && promptTokens > 0) {
    const count = requests === null ? 'requests' : plural(requests, 'request');
    const output = outputTokens === null ? '' : ` and ${grouped(outputTokens)} of output`;
    const cost = costUsd === null ? '' : `, about $${costUsd.toFixed(3)} of the cost`;
    lines.push(
      `hidden: ${count} that the log does not show, ${grouped(promptTokens)} prompt tok${output}${cost}; not in tokens processed`,
    );
  }
  if (pressure.window?.state === 'broken') {
    const { thresholdTokens } = pressure.window;
    lines.push(
      `WINDOW NOT HELD: the host did not compact at ${grouped(thresholdTokens)} tok, as the window that was set asks for`,
    );
  }
  if (pressure.failedCompactions > 0) {
    lines.push(`failed compactions: ${grouped(pressure.failedCompactions)}, each paid for and of no use`);
  }
  return lines;
}

function silentClearings({ pressure: { silentClearings } }: Measure): string[] {
  return silentClearings.map(({ request, tokens, pauseMs }) => {
    const pause = pauseMs === null ? '' : `, after at most ${Math.round(pauseMs / 60_000)} min without an event`;
    return `cleared in silence: at request ${request} the window shrank by ${grouped(tokens)} tok without a boundary${pause}`;
  });
}

function duplicates(measure: Measure): string[] {
  const { sourceChars, duplicateChars, share } = measure.duplicates;
  if (duplicateChars === 0 || share === null) return [];
  const amounts = `${grouped(duplicateChars)} of ${grouped(sourceChars)} source chars`;
  return [`duplicates: ${percent1(share)} of the delivered source had been delivered before (${amounts})`];
}

function subagents(measure: Measure, label: string): string[] {
  return measure.subagents.map((subagent) => {
    const { tool, read, search, bash } = subagent.residualTokens;
    const sizes = `${grouped(subagent.ctxBaseTokens)} → ${groupedOrMissing(subagent.ctxFinalTokens)} tok`;
    const residual = `residual ${label} ${grouped(tool)}, file-access ${grouped(read + search + bash)} tok`;
    return `subagent window (not in the figures above): ${plural(subagent.requests, 'request')}, ${sizes}, ${residual}`;
  });
}

function diagnostics(measure: Measure): string[] {
  const { retries, fallbackModels, otherModels, subagentErrors, repeatedRows } = measure.diagnostics;
  const { unknownTools, unparsedLines, lines: total } = measure.diagnostics;
  const lines: string[] = [];
  if (retries > 0) lines.push(`API retries: ${retries}`);
  if (fallbackModels.length > 0) lines.push(`model fallback: ${fallbackModels.map(oneLine).join(', ')}`);
  const silent = otherModels.filter((model) => !fallbackModels.includes(model));
  if (silent.length > 0) {
    lines.push(`another model than the session began with answered: ${silent.map(oneLine).join(', ')}`);
  }
  if (subagentErrors > 0) lines.push(`API errors that a subagent returned as its answer: ${subagentErrors}`);
  if (unparsedLines.length > 0) {
    const shown = unparsedLines.slice(0, 5).map(({ file, line }) => `${oneLine(file)}:${line}`);
    const rest = unparsedLines.length > shown.length ? ', …' : '';
    lines.push(`unparsed lines: ${unparsedLines.length} of ${grouped(total)} (${shown.join(', ')}${rest})`);
  }
  if (unknownTools.length > 0) {
    lines.push(`unknown tools, whose calls decide nothing for sure: ${unknownTools.map(oneLine).join(', ')}`);
  }
  if (repeatedRows > 0) lines.push(`lines that repeat an event (same uuid), read once: ${grouped(repeatedRows)}`);
  return lines;
}
