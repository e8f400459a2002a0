import { loadPageParts } from '../report/index.js';
import type { ReplayReport } from './report-schema.js';

/** The report as one self-contained HTML file. Preact is loaded when it is called, not before. */
export async function renderReplayPage(report: ReplayReport): Promise<string> {
  const { renderPage } = await import('./page.js');
  return renderPage(report, await loadPageParts());
}
