import type { HtmlReport } from './model.js';

export type { HtmlReport } from './model.js';

/** The report as one self-contained HTML file. Preact and the charts are loaded when it is called, not before. */
export async function renderHtml(report: HtmlReport): Promise<string> {
  const { renderPage } = await import('./page.js');
  return renderPage(report);
}

/** Loads what a page is made of, with Preact. */
export async function loadPageParts(): Promise<typeof import('./page-parts.js')> {
  return await import('./page-parts.js');
}
