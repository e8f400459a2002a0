// PreToolUse hook for the host's shell tools: keeps every arm off the engine's command line and index, so that only its MCP server differs.
// usage: node no-cli-shim.js <identity.json>   (the hook's input on standard input)
//
// A hook that fails lets the call through in silence, and a hook that exits with code 2 shows its path to the model
// (docs/claude-code.md, "Hooks"). So any error here is a denial too, in the same form and with exit code 0.

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { claudeCodeTools } from '../src/host/claude-code/tools.js';
import type { EngineIdentity } from '../src/model/engine.js';
import type { CommandClass } from '../src/model/families.js';
import { HOOK_MARKER, mayReachEngine, namesEngine } from '../src/shell/quick.js';

/** Larger scripts are not read: they are data, or bundles. */
const MAX_SCRIPT_BYTES = 512 * 1024;

interface ShellCall {
  command: string;
  cwd: string;
}

/** The answer for one hook input; undefined lets the call pass. Throws on what it cannot read. */
async function answer(input: string, identityFile: string | undefined): Promise<string | undefined> {
  if (identityFile === undefined) throw new Error('no identity file was named');
  const identity = readIdentity(readFileSync(identityFile, 'utf8'));
  const call = readCall(input);
  if (call === undefined) return undefined;
  if (!mayReachEngine(call.command, identity) && !isLinked(call, identity)) return undefined;
  const { classifyCommand } = await import('../src/shell/index.js');
  const judged = classifyCommand(call.command, identity, {
    cwd: call.cwd,
    realpath: (path) => realPath(onDisk(path, call.cwd)),
    readScript: (path) => readScript(onDisk(path, call.cwd)),
  });
  return denial(judged.class, identity.name);
}

/** What the model is told. No path and nothing of the command: it may be quoted in a published transcript. */
function denial(found: CommandClass, name: string): string | undefined {
  if (found === 'mention') return undefined;
  const what =
    found === 'invoke'
      ? `running ${name} from the shell`
      : `reading ${name}'s index or talking to its daemon from the shell`;
  return `${HOOK_MARKER} ${what} is not available in this session. Carry on with the other tools.`;
}

/** A word of the command is a link, made by an earlier call, to something of the engine's. */
function isLinked({ command, cwd }: ShellCall, identity: EngineIdentity): boolean {
  const here = realPath(cwd) ?? cwd;
  return command.split(/[\s'";|&<>]+/).some((word) => {
    if (word === '' || word.startsWith('-')) return false;
    const real = realPath(onDisk(word, cwd));
    if (real === undefined) return false;
    // The workspace's own path may hold the engine's name.
    return namesEngine(real.startsWith(here) ? real.slice(here.length) : real, identity);
  });
}

function onDisk(path: string, cwd: string): string {
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1));
  return isAbsolute(path) ? path : join(cwd, path);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function readScript(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_SCRIPT_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** The shell call of a hook input. Undefined when another tool is called, or a Monitor listens to a web socket. */
function readCall(input: string): ShellCall | undefined {
  const parsed: unknown = JSON.parse(input);
  if (!isRecord(parsed)) throw new Error('the input is no object');
  if (typeof parsed.tool_name === 'string' && claudeCodeTools.kindOf(parsed.tool_name) !== 'shell') return undefined;
  const { tool_input: toolInput, cwd } = parsed;
  if (isRecord(toolInput) && toolInput.command === undefined && isRecord(toolInput.ws)) return undefined;
  if (!isRecord(toolInput) || typeof toolInput.command !== 'string') throw new Error('the input holds no command');
  return { command: toolInput.command, cwd: typeof cwd === 'string' ? cwd : '/' };
}

const LISTS = [
  'cliNames',
  'packageNames',
  'entryPaths',
  'indexFiles',
  'socketPatterns',
  'indexFolderVariables',
] as const;
const TEXTS = ['name', 'indexFolder', 'homeFolder', 'environmentPrefix'] as const;

function readIdentity(text: string): EngineIdentity {
  const parsed: unknown = JSON.parse(text);
  if (!isIdentity(parsed)) throw new Error('the identity file lacks a field');
  return parsed;
}

function isIdentity(value: unknown): value is EngineIdentity {
  if (!isRecord(value)) return false;
  const isList = (list: unknown) => Array.isArray(list) && list.every((item) => typeof item === 'string');
  return (
    LISTS.every((key) => isList(value[key])) &&
    TEXTS.every((key) => typeof value[key] === 'string' && value[key] !== '')
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

let told = false;

/** Writes the deny JSON, once. */
function deny(reason: string): void {
  if (told) return;
  told = true;
  const hookSpecificOutput = {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  };
  process.stdout.write(`${JSON.stringify({ hookSpecificOutput })}\n`);
}

function denyForFailure(): void {
  deny(`${HOOK_MARKER} the command could not be checked, so it was not run. Try another one.`);
  process.exitCode = 0;
}

process.on('uncaughtException', denyForFailure);
process.on('unhandledRejection', denyForFailure);

// No await at the top level: the bundled parser imports this file, and would wait for it for ever.
answer(readFileSync(0, 'utf8'), process.argv[2])
  .then((reason) => {
    if (reason !== undefined) deny(reason);
  })
  .catch(denyForFailure);
