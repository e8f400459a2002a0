import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join, relative, resolve } from 'node:path';
import { campaignRedactor, makeReport, renderCampaignPage } from '../../analysis/index.js';
import type { Failure } from '../../model/failure.js';
import type { Environment, Options } from '../../model/options.js';
import { nightlyNames, readHistory } from '../../nightly/index.js';
import { loadPageParts, renderCompared } from '../../report/index.js';
import { CAMPAIGN_FILES, type CampaignOnDisk, listCampaigns } from '../../store/index.js';
import { readTextSafely } from '../../util/read-safely.js';
import { type CampaignLine, describeCampaign } from '../commands/campaigns.js';
import { compareCampaigns } from '../commands/compare.js';
import { renderChoice, renderList, renderText } from './pages.js';

/** A page that shows a running campaign is loaded again after so many seconds. */
const RELOAD_S = 5;
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** The files of a campaign that its page links to. */
const FILE_TYPES = ['.jsonl', '.err', '.json', '.log', '.txt', '.md'];
const LOCAL_HOSTS = /^(127\.0\.0\.1|localhost)(:\d+)?$/;

export interface ServeInput {
  /** The folder of campaigns. */
  out: string;
  /** 0: any free port. */
  port: number;
  options: Options;
  environment: Environment;
}

interface Reply {
  status: number;
  type: 'text/html' | 'text/plain';
  body: string;
  /** Something on the page still runs. */
  isLive?: boolean;
}

/** Serves the campaigns of a folder on loopback, for reading only. Resolves when it listens; rejects if the port cannot be had. */
export async function startServer(input: ServeInput): Promise<{ server: Server; url: string }> {
  const pages = new Map<string, { key: string; body: string }>();
  const server = createServer((request, response) => {
    answer(request, input, pages).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, { status: 500, type: 'text/plain', body: `${String(error)}\n` }),
    );
  });
  await new Promise<void>((done, reject) => {
    server.once('error', reject);
    server.listen(input.port, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}/` };
}

function send(response: ServerResponse, { status, type, body, isLive }: Reply): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(isLive ? { refresh: String(RELOAD_S) } : {}),
  });
  response.end(body);
}

async function answer(
  request: IncomingMessage,
  input: ServeInput,
  pages: Map<string, { key: string; body: string }>,
): Promise<Reply> {
  // Another name would be that of a web page which has pointed its own name to this machine.
  if (!LOCAL_HOSTS.test(request.headers.host ?? '')) return plain(403, 'only for this machine');
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'only GET');
  const path = pathOf(request.url ?? '/');
  if (path === undefined) return plain(400, 'not a path');
  const campaigns = listCampaigns(input.out, () => {});
  const [part = '', id = '', ...rest] = path;
  if (part === '') return await listPage(campaigns, input);
  const campaign = campaigns.find((one) => one.id === id);
  if (!campaign) return plain(404, 'there is no such campaign');
  if (part === 'against') return await comparison(campaign, campaigns, rest[0], input);
  if (part !== 'c') return plain(404, 'there is no such page');
  if (rest.length === 1 && rest[0] === CAMPAIGN_FILES.reportHtml) return await reportPage(campaign, input, pages);
  return file(campaign.dir, rest);
}

function plain(status: number, text: string): Reply {
  return { status, type: 'text/plain', body: `${text}\n` };
}

/** Returns the decoded parts of a path. Undefined if it cannot be decoded. */
function pathOf(url: string): string[] | undefined {
  try {
    return new URL(url, 'http://localhost').pathname.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

async function listPage(campaigns: CampaignOnDisk[], { out }: ServeInput): Promise<Reply> {
  const lines = campaigns.map(describeCampaign);
  const nightlies = nightlyNames(out).map((name) => ({ name, history: readHistory(join(out, 'nightly', name)) }));
  const body = renderList({ folder: resolve(out), campaigns: lines, nightlies }, await loadPageParts());
  return { status: 200, type: 'text/html', body, isLive: lines.some(isRunning) };
}

function isRunning({ state }: CampaignLine): boolean {
  return state === 'running';
}

/** The page that `report --html` writes. It is made again only when the campaign has changed. */
async function reportPage(
  campaign: CampaignOnDisk,
  { options, environment }: ServeInput,
  pages: Map<string, { key: string; body: string }>,
): Promise<Reply> {
  const { id, dir } = campaign;
  const line = describeCampaign(campaign);
  const key = JSON.stringify(line);
  const known = pages.get(id);
  if (known?.key === key) return { status: 200, type: 'text/html', body: known.body, isLive: isRunning(line) };
  const made = await makeReport(dir, options, campaignRedactor(dir, environment));
  if (!made.ok) return { ...(await failed(id, made.failure)), isLive: isRunning(line) };
  const { measured, redactor } = made.value;
  const body = await renderCampaignPage(measured, { file: join(dir, CAMPAIGN_FILES.reportHtml), redactor });
  pages.set(id, { key, body });
  return { status: 200, type: 'text/html', body, isLive: isRunning(line) };
}

async function comparison(
  campaign: CampaignOnDisk,
  campaigns: CampaignOnDisk[],
  againstId: string | undefined,
  { options }: ServeInput,
): Promise<Reply> {
  const parts = await loadPageParts();
  if (againstId === undefined) {
    return { status: 200, type: 'text/html', body: renderChoice(campaign.id, campaigns.map(describeCampaign), parts) };
  }
  const against = campaigns.find((one) => one.id === againstId);
  if (!against) return plain(404, 'there is no such campaign');
  const title = `${campaign.id} compared with ${against.id}`;
  const compared = await compareCampaigns(campaign.dir, against.dir, false, options);
  if (!compared.ok) return await failed(title, compared.failure);
  const { json, comparisons } = compared.value;
  return { status: 200, type: 'text/html', body: renderText(title, renderCompared(json, comparisons), parts) };
}

async function failed(title: string, { message, advice }: Failure): Promise<Reply> {
  const text = advice === undefined ? message : `${message}\n→ ${advice}`;
  return { status: 422, type: 'text/html', body: renderText(title, text, await loadPageParts()) };
}

/** A log or record within the campaign. Links are not followed. */
function file(dir: string, path: string[]): Reply {
  const target = resolve(dir, ...path);
  const inside = relative(dir, target);
  const isInside =
    inside !== '' && !inside.startsWith('..') && path.every((part) => part !== '' && basename(part) === part);
  if (!isInside || !FILE_TYPES.includes(extname(target))) return plain(404, 'there is no such file');
  const text = readTextSafely(target, MAX_FILE_BYTES);
  return text === undefined ? plain(404, 'there is no such file') : { status: 200, type: 'text/plain', body: text };
}
