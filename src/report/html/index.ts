import type { HtmlReport } from './model.js';

export type { HtmlReport } from './model.js';

/** The report as one self-contained HTML file. Preact and the charts are loaded when it is called, not before. */
export async function renderHtml(report: HtmlReport): Promise<string> {
  const { renderPage } = await import('./page.js');
  return renderPage(report);
}
