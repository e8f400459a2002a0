import { createInterface } from 'node:readline';

/**
 * Returns a function that asks on standard error until a line of standard input is one of the replies, and returns that line in lower case.
 * The end of the input counts as `q`, for quit.
 */
export function openQuestions(): (question: string, replies: RegExp) => Promise<string> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  return async (question, replies) => {
    for (;;) {
      process.stderr.write(question);
      const line = await lines.next();
      const reply = line.done ? 'q' : line.value.trim().toLowerCase();
      if (line.done || replies.test(reply)) return reply;
    }
  };
}
