/** Splits `Q1||Q2||Q3` into the prompts of one session. Empty parts are dropped. */
export function splitPrompts(text: string): string[] {
  return text
    .split('||')
    .map((prompt) => prompt.trim())
    .filter((prompt) => prompt !== '');
}
