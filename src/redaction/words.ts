import type { RedactedKind } from './redactor.js';

/** What was taken out, by kind and never the secret: `2 GitHub tokens (5 places), 1 home path (212 places)`. Empty: nothing. */
export function redactedWords(kinds: RedactedKind[]): string {
  return kinds
    .map(({ kind, secrets, places }) => {
      const what = secrets === 1 ? kind : plural(kind);
      return `${secrets} ${what} (${places === 1 ? '1 place' : `${places} places`})`;
    })
    .join(', ');
}

function plural(kind: string): string {
  if (kind.startsWith('URL with')) return kind.replace('URL', 'URLs');
  return /(?:s|sh)$/.test(kind) ? `${kind}es` : `${kind}s`;
}
