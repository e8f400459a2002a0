import type { Engine, EngineRuntime, ExploreResponse } from '../model/engine.js';
import type { ServerDescription } from '../model/server.js';

/** One engine for each description, because answers are read once for each engine (transcript/responses). */
const engines = new WeakMap<ServerDescription, Engine>();

/** Returns the engine that a user described. Nothing of it depends on the machine, and no code of the user runs. */
export function describedEngine(server: ServerDescription): Engine {
  const engine = engines.get(server) ?? makeEngine(server);
  engines.set(server, engine);
  return engine;
}

/** A name that no folder has, for a server that keeps nothing there. An empty name would stand for every folder. */
const NO_FOLDER = '.agent-eval-no-such-folder';

function makeEngine(server: ServerDescription): Engine {
  const { name, cliNames, packages, entry, indexFolder = NO_FOLDER, homeFolder = NO_FOLDER } = server;
  const prefix = `mcp__${name}__`;
  const { exploreTools } = server;
  return {
    identity: {
      name,
      cliNames,
      packageNames: packages,
      entryPaths: [entry],
      indexFolder,
      indexFiles: server.indexFiles,
      // Nobody says that it is not; a search that shows lines of the index must count.
      indexIsText: true,
      socketPatterns: [],
      homeFolder,
      environmentPrefix: server.environmentPrefix ?? `${name.toUpperCase().replaceAll('-', '_')}_`,
      indexFolderVariables: [],
    },
    mcpServer: name,
    label: server.label ?? name,
    isEngineTool: (toolName) => toolName.startsWith(prefix),
    isExploreTool: (toolName) =>
      toolName.startsWith(prefix) && (exploreTools?.includes(toolName.slice(prefix.length)) ?? true),
    parseResponse: answerReader(server.noAnswer),
    noSections: `the answers of ${name} are not divided into files`,
    runtime: runtimeOf(server),
  };
}

function runtimeOf(server: ServerDescription): EngineRuntime {
  const { index, ask, exploreTools = [] } = server;
  return {
    entry: server.entry,
    nodeFlags: [],
    environment: { DO_NOT_TRACK: '1', ...server.environment },
    sessionEnvironment: {},
    serveArguments: (workspace) => filled(server.serve, { workspace }),
    ...(ask && {
      askCall: (query: string) => ({ tool: ask.tool, arguments: filledValue(ask.arguments, { query }) }),
    }),
    requiredTools: [...new Set([...exploreTools, ...(ask ? [ask.tool] : [])])],
    ...(index && {
      index: {
        arguments: (workspace: string) => filled(index, { workspace }),
        isRuntimeFile: () => false,
      },
    }),
  };
}

function filled(texts: string[], values: Record<string, string>): string[] {
  return texts.map((text) => text.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole));
}

/** The arguments of a call with every placeholder in its texts filled, at any depth. */
function filledValue(value: Record<string, unknown>, values: Record<string, string>): Record<string, unknown> {
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') return filled([part], values)[0];
    if (Array.isArray(part)) return part.map(fill);
    if (part === null || typeof part !== 'object') return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner)]));
  };
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part)]));
}

/** A file with an extension, with or without folders before it, as a text of any form may name one. */
const PATH_TOKEN = /(?:[\w@.+~-]{1,100}\/){0,30}[\w@+~-][\w@.+~-]{0,99}\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/])/g;
/** Answers of this length and more are searched for file names as far as here. */
const MAX_SEARCHED_CHARS = 500_000;

/** An answer counts unless it is empty or begins as one of the described texts. The files that it names are kept as mentions. */
function answerReader(noAnswer: string[]): (text: string) => ExploreResponse {
  return (text) => {
    const opening = text.trimStart();
    const isNoMatch = noAnswer.some((beginning) => opening.startsWith(beginning));
    return {
      chars: text.length,
      sections: [],
      noAnswer: isNoMatch || opening === '',
      isNoMatch,
      mentions: [...new Set(text.slice(0, MAX_SEARCHED_CHARS).match(PATH_TOKEN) ?? [])],
    };
  };
}
