import type { HostNotice, HostNotices } from '../../model/session-host.js';

interface NoticePattern {
  notice: HostNotice;
  /** Every such text begins with these characters. */
  opening: string;
  pattern: RegExp;
  /** Versions of Claude Code that write it. `2.1.197` was looked through; what is `earlier` is gone from it. */
  versions: '2.1.197' | 'earlier';
}

/** Thousands separators differ by locale: a comma, a full stop, an apostrophe, any kind of space, or none. */
const NUMBER = "[\\d.,'’٬\\s\\u00a0\\u202f]+";

/** The texts of Claude Code for a result that the model did not get, or got in part. */
const NOTICES: NoticePattern[] = [
  { notice: 'undelivered', opening: '<persisted-output>', pattern: /^/, versions: '2.1.197' },
  {
    notice: 'undelivered',
    opening: 'Error: result (',
    pattern: new RegExp(`^Error: result \\(${NUMBER}characters[^)]*\\) exceeds maximum allowed tokens`),
    versions: '2.1.197',
  },
  {
    notice: 'undelivered',
    opening: 'MCP tool "',
    pattern: new RegExp(`^MCP tool "[^"\\n]*" response \\(${NUMBER}tokens\\) exceeds maximum allowed tokens`),
    versions: 'earlier',
  },
  {
    notice: 'undelivered',
    opening: 'Error: MCP tool "',
    pattern: new RegExp(`^Error: MCP tool "[^"\\n]*" response \\(${NUMBER}tokens\\) exceeds maximum allowed tokens`),
    versions: 'earlier',
  },
  { notice: 'undelivered', opening: '[Old tool result content cleared', pattern: /^[^\n]*\]\s*$/, versions: '2.1.197' },
  { notice: 'undelivered', opening: 'Tool result saved to: ', pattern: /^/, versions: 'earlier' },
  { notice: 'undelivered', opening: '[Tool result missing due to ', pattern: /^[^\n]*\]\s*$/, versions: '2.1.197' },
  { notice: 'undelivered', opening: '[Truncated. Full output: ', pattern: /^/, versions: '2.1.197' },
  { notice: 'empty', opening: '(', pattern: /^\([^\n]* completed with no output\)\s*$/, versions: '2.1.197' },
];

/** Closes a result of an MCP tool that was cut: what stands before it did reach the model. */
const CUT = new RegExp(`\\n\\[OUTPUT TRUNCATED - exceeded ${NUMBER}token limit\\]\\n[^\\n]*\\s*$`);
/** The longest notice is shorter. */
const NOTICE_CHARS = 1_000;

function noticeIn(text: string): HostNotice | undefined {
  for (const { notice, opening, pattern } of NOTICES) {
    if (text.startsWith(opening) && pattern.test(text.slice(0, NOTICE_CHARS))) return notice;
  }
  return text.includes('[OUTPUT TRUNCATED - exceeded ', Math.max(0, text.length - NOTICE_CHARS)) && CUT.test(text)
    ? 'undelivered'
    : undefined;
}

/** Whether the lines of a shell's result, its exit code aside, are the notice that there was no output. */
function isEmptyOutput(text: string): boolean {
  if (!text.includes(' completed with no output)')) return false;
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^Exit code \d+$/.test(line));
  return noticeIn(lines.join('\n')) === 'empty';
}

const NOT_AVAILABLE = /No such tool available|still connecting/;

/** Source code may quote the words, hence only an error counts. */
function isUnavailable(head: string, isError: boolean): boolean {
  const isRefusal = isError || /^(?:<tool_use_error>)?\s*(?:Error: )?No such tool available/.test(head);
  return isRefusal && NOT_AVAILABLE.test(head);
}

export const claudeCodeNotices: HostNotices = {
  noticeIn,
  isEmptyOutput,
  isUnavailable,
  isNoSuchTool: (head) => /No such tool available/.test(head),
  hasNotRun: (head) => /^(<tool_use_error>|The user doesn't want to proceed with this tool use)/.test(head),
  isFailedCommand: (head) => head.startsWith('Exit code '),
  isHookError: (text) => /^PreToolUse:[^ ]* hook error: /.test(text),
};
