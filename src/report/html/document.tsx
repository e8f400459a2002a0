import { createHash } from 'node:crypto';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { STYLES } from './styles.js';

/** One self-contained page. Nothing is loaded from elsewhere, and no script runs but the given one. */
export function renderDocument({ title, body, script }: { title: string; body: VNode; script?: string }): string {
  const scriptSource =
    script === undefined ? "'none'" : `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src ${scriptSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // Style and script are ours alone and must stand as they are written; everything else is escaped by being rendered.
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${renderToString(<meta http-equiv="Content-Security-Policy" content={policy} />)}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${renderToString(<title>{`${title} — agent-eval`}</title>)}
<style>${STYLES}</style>
</head>
<body>
${renderToString(body)}
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}
