import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FenceLevel } from '../../src/model/plan.js';
import { endTrialProcesses } from '../../src/process/index.js';
import {
  type Engine,
  engineEnvironment,
  indexProject,
  serverCommand,
  startProjectDaemon,
  writeProject,
} from './engine.js';
import { LEAKS, type Surroundings } from './leaks.js';
import { holdSession } from './session.js';

export interface Finding {
  leak: string;
  level: FenceLevel;
  arm: 'without' | 'with';
  /** Whether something came through, and the result's first words. */
  leaked: boolean;
  text: string;
}

export interface Raid {
  findings: Finding[];
  evidence: Record<string, string>;
  left: number[];
  /** Status of the MCP server as the host told it. */
  mcpStatus: string | undefined;
}

/** The host's own refusal repeats the command, and with it the words that would show a leak. */
const DENIED = /^Permission to use \w+ .*has been denied/;

/** Drives the real CLI through every leak, in one arm at one level. `folder` is the caller's to remove. */
export async function raid(engine: Engine, folder: string, level: FenceLevel, arm: Finding['arm']): Promise<Raid> {
  const [root, other, home, campaign] = ['ae-own', 'ae-other', 'home', 'campaign'].map((name) => join(folder, name));
  if (!root || !other || !home || !campaign) throw new Error('unreachable');
  const workspace = join(root, 'w');
  writeProject(workspace, 'ownPublicFunction');
  writeProject(join(other, 'w'), 'otherSecretFunction');
  writeFile(join(campaign, 'run.jsonl'), 'an earlier answer\n');
  writeFile(join(other, 'config/projects/p/s.jsonl'), 'other transcript\n');
  const tag = `raid@${folder}`;
  const otherEnvironment = engineEnvironment(join(other, 'e'), tag);
  const ownEnvironment = engineEnvironment(join(root, 'e'), tag);
  try {
    await indexProject(engine, join(other, 'w'), otherEnvironment);
    const daemonPid = await startProjectDaemon(engine, join(other, 'w'), otherEnvironment);
    if (arm === 'with') {
      await indexProject(engine, workspace, ownEnvironment);
      await startProjectDaemon(engine, workspace, ownEnvironment);
    }
    const around: Surroundings = { engine, workspace, root, other, home, campaign, daemonPid };
    const tried = LEAKS.filter(({ withOnly }) => arm === 'with' || !withOnly);
    const use = { name: 'mcp__codegraph__codegraph_explore', input: { query: 'ownPublicFunction' } };
    const calls = [...tried.map(({ call }) => call(around)), ...(arm === 'with' ? [use] : [])];
    const session = await holdSession({
      level,
      root,
      prompts: [calls],
      home,
      hidden: [dirname(engine.install), campaign, home],
      path: `${engine.install}/node_modules/.bin:${process.env.PATH}`,
      ...(arm === 'with' ? { mcpServer: serverCommand(engine, workspace, ownEnvironment) } : {}),
    });
    if (session.results.length !== calls.length)
      throw new Error(`${session.results.length} of ${calls.length} answered`);
    const findings = tried.map(({ name, leaked }, at): Finding => {
      const text = session.results[at]?.text ?? '';
      return {
        leak: name,
        level,
        arm,
        leaked: !DENIED.test(text) && leaked.test(text),
        text: text.replace(/\s+/g, ' ').slice(0, 160),
      };
    });
    if (arm === 'with') {
      const text = session.results.at(-1)?.text ?? '';
      findings.push({
        leak: 'the tool itself works',
        level,
        arm,
        leaked: /ownPublicFunction/.test(text),
        text: text.slice(0, 80),
      });
    }
    const init = session.logs[0]?.find((line) => line.subtype === 'init');
    const servers = init?.mcp_servers as { status: string }[] | undefined;
    return {
      findings,
      evidence: session.dropped.ok ? session.dropped.value : { failure: session.dropped.failure.message },
      left: session.left,
      mcpStatus: servers?.[0]?.status,
    };
  } finally {
    await endTrialProcesses(tag);
  }
}

/** Findings as a markdown table: leak × level and arm. */
export function redTeamTable(findings: Finding[]): string {
  const columns = [...new Set(findings.map(({ level, arm }) => `${level}, ${arm}`))];
  const leaks = [...new Set(findings.map(({ leak }) => leak))];
  const cell = (leak: string, column: string): string => {
    const finding = findings.find((one) => one.leak === leak && `${one.level}, ${one.arm}` === column);
    return finding === undefined ? '—' : finding.leaked ? '**returned**' : 'nothing';
  };
  const rows = leaks.map((leak) => `| ${leak} | ${columns.map((column) => cell(leak, column)).join(' | ')} |`);
  return [`| leak | ${columns.join(' | ')} |`, `|---|${columns.map(() => '---|').join('')}`, ...rows].join('\n');
}

function writeFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
