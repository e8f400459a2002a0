import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The Chromium to test pages in: CHROMIUM_PATH, else where distributions put it. */
const CHROMIUM = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((file) => file !== undefined && existsSync(file));

/** Why pages can't be tested here; undefined where they can. In CI they must be: there it throws. */
export function whyNoBrowser(): string | undefined {
  if (CHROMIUM !== undefined) return undefined;
  const why = 'no Chromium was found: set CHROMIUM_PATH';
  if (process.env.CI) throw new Error(why);
  return why;
}

export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}
