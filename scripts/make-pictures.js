// Makes the pictures of the page in docs/pictures from reports of generated campaigns: `npm run docs:pictures`.
// It needs Chromium (CHROMIUM_PATH, else /usr/bin/chromium) and a built program (`npm run build`).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';

const PICTURES = resolve('docs/pictures');
const WIDE = { width: 1100, height: 760 };

/** File name, campaign, size and the part of the page to show. */
const SHOTS = [
  { file: 'verdict.png', campaign: 'decided', size: WIDE },
  { file: 'undecided.png', campaign: 'undecided', size: WIDE },
  { file: 'three-arms.png', campaign: 'three', size: WIDE },
  { file: 'phone.png', campaign: 'decided', size: { width: 390, height: 844 } },
  { file: 'print.png', campaign: 'decided', size: { width: 794, height: 1123 }, media: 'print' },
  { file: 'tasks.png', campaign: 'made', size: { width: 1100, height: 560 }, at: 'tasks' },
  { file: 'context.png', campaign: 'made', size: { width: 1100, height: 900 }, at: 'context' },
  { file: 'explores.png', campaign: 'made', size: { width: 1100, height: 760 }, at: 'explores' },
  { file: 'run.png', campaign: 'made', size: { width: 1100, height: 900 }, at: 'run-alpha--new-1' },
];

const work = mkdtempSync(join(tmpdir(), 'agent-eval-pictures-'));
const vite = await createServer({ server: { middlewareMode: true, hmr: false, ws: false }, appType: 'custom' });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const { writePictureCampaigns } = await vite.ssrLoadModule('/test/rig/picture-campaigns.ts');
  const program = (...args) =>
    execFileSync(process.execPath, [resolve('bin/agent-eval.js'), ...args], { cwd: work, stdio: 'ignore' });
  for (const { name, isGraded } of await writePictureCampaigns(work)) {
    if (isGraded) program('grade', join(work, name));
    program('report', join(work, name), '--html');
  }
  for (const { file, campaign, size, at, media = 'screen' } of SHOTS) {
    const page = await browser.newPage({ viewport: size, colorScheme: 'light' });
    await page.emulateMedia({ media });
    await page.goto(`${pathToFileURL(join(work, campaign, 'report.html'))}${at === undefined ? '' : `#${at}`}`);
    await page.screenshot({ path: join(PICTURES, file) });
    await page.close();
    process.stdout.write(`${file}\n`);
  }
} finally {
  await browser.close();
  await vite.close();
  rmSync(work, { recursive: true, force: true });
}
