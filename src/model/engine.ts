import type { ServerDescription } from './server.js';

/**
 * The facts that differ from one engine (MCP server under test) to another. The config chooses an engine; every room is
 * handed its values. Only the registry in `engine/` knows an engine by name.
 */

/** Engines that are registered in `engine/registry.ts` under a name. */
export const ENGINE_NAMES = ['codegraph'] as const;

/** The engine of a config that names none. */
export const DEFAULT_ENGINE_NAME: (typeof ENGINE_NAMES)[number] = 'codegraph';

/** How a config or a plan names its engine: a registered name, or a whole description. */
export type EngineChoice = (typeof ENGINE_NAMES)[number] | ServerDescription;

/** The names by which a shell command can reach the engine. Plain data: it is written to a file for the hook. */
export interface EngineIdentity {
  /** Short name, used in messages: "codegraph". */
  name: string;
  /** Names under which its command-line program is installed. */
  cliNames: string[];
  /** npm packages that carry the program (package runners, `node_modules` paths); a trailing `*` is a prefix. */
  packageNames: string[];
  /** Paths inside an installed package or checkout that are the program's entry, `/` separated, without a leading `/`. */
  entryPaths: string[];
  /** Name of the index folder inside a workspace: ".codegraph". */
  indexFolder: string;
  /** Files of the index folder that hold the index or lead to a daemon. Empty: every file in it. */
  indexFiles: string[];
  /** Programs that search or query text show what the index holds. Undefined: false, the index is binary. */
  indexIsText?: boolean;
  /** Regular expression sources for the daemon's socket when it lies elsewhere (TMPDIR). */
  socketPatterns: string[];
  /** Folder under HOME in which the engine keeps its registry of daemons: ".codegraph". */
  homeFolder: string;
  /** Prefix of the engine's environment variables: "CODEGRAPH_". */
  environmentPrefix: string;
  /** Environment variables that rename the index folder: ["CODEGRAPH_DIR"]. */
  indexFolderVariables: string[];
}

/** One symbol of a section header, `name(kind)`. */
export interface SectionSymbol {
  name: string;
  kind: string;
  /** The kind defines the symbol here, so that citing the symbol may credit the file. */
  defines: boolean;
}

/** The source that one explore response delivers of one file. */
export interface ResponseSection {
  path: string;
  /** Characters from this section's header line to the next header, the trailing quote or the end. */
  chars: number;
  symbols: SectionSymbol[];
  /** Line numbers of the numbered source lines inside the section's code fence. */
  lineNumbers: Uint32Array;
  /** Characters of each of those lines' text, in the same order. */
  lineChars: Uint32Array;
}

/** An explore response, reduced to what the metrics need. */
export interface ExploreResponse {
  chars: number;
  sections: ResponseSection[];
  /** The text is no answer although the host calls it a success ("No relevant code found …", no index, no source). */
  noAnswer: boolean;
  /** The engine searched and found nothing: no answer to the question, but the engine works. Undefined means false. */
  isNoMatch?: boolean;
  /**
   * The text has no source, and it is none of the messages that the engine gives in place of an answer. It may hold the
   * answer in another form, or be something that the host wrote. Undefined means false.
   */
  isUnread?: boolean;
  /** Distinct path-like tokens anywhere in the response. These are the files that the response names. */
  mentions: string[];
}

/** The engine's own account of one file of a response: why it stands there, or why not. Missing is null. */
export interface FileAccount {
  path: string;
  rank: number | null;
  score: number | null;
  /** Characters that the engine had reserved for the file. */
  reservedChars: number | null;
  deliveredChars: number | null;
  /** Why the file was left out; null if it was not. */
  skipped: string | null;
}

/** How an engine can be made to write an account of each response. */
export interface EngineAccount {
  /** Environment variable that names the file to which one line is appended for each response. */
  variable: string;
  /** Reads such a line; undefined if it is none. */
  parse(line: string): FileAccount[] | undefined;
}

/** The engine profile: identity, tool names and the parser of its responses. */
export interface EngineProfile {
  identity: EngineIdentity;
  /** Name under which the MCP server is configured; its tools are `mcp__<server>__…`. */
  mcpServer: string;
  /** A tool name that matches belongs to the tool under test (family `tool`). Case-sensitive "contains". */
  isEngineTool(toolName: string): boolean;
  /** The tool whose responses are judged: `…codegraph_explore`. */
  isExploreTool(toolName: string): boolean;
  /** How the family is printed: "codegraph". */
  label: string;
  parseResponse(text: string): ExploreResponse;
  /** Undefined: the engine gives no account of its responses. */
  account?: EngineAccount;
  /**
   * Why the responses cannot be divided into the files that they return, in a clause. The measures that need the files are
   * null for such an engine. Undefined: `parseResponse` finds the sections of files.
   */
  noSections?: string;
}

/** An engine that can be run: its profile and the way in which it is built, indexed, started and asked. */
export interface Engine extends EngineProfile {
  runtime: EngineRuntime;
}

/** How an engine is run. Plain values and pure functions, so that reading them loads nothing else. */
export interface EngineRuntime {
  /** The CLI's script inside a built checkout or an installed package, unless the config names another. */
  entry: string;
  /** The program and script of a platform package, which carries a node of its own. Undefined: there are no such packages. */
  bundle?: { node: string; script: string };
  /** Options of node before the script. */
  nodeFlags: string[];
  /** The oldest node, major and minor, that runs a build from source. Undefined: any node that runs agent-eval. */
  minimumNode?: [number, number];
  /** Variables of every process of the engine, equal in every arm. */
  environment: Record<string, string>;
  /** Variables of every agent session, in arms with and without the engine. */
  sessionEnvironment: Record<string, string>;
  /** Arguments that print the version. Undefined: the MCP server's own word is taken. */
  versionArguments?: string[];
  /** Arguments that print the answer to a question. A version without this command is asked over MCP. */
  askArguments?(workspace: string, query: string): string[];
  /** Arguments that start the MCP server for a workspace. */
  serveArguments(workspace: string): string[];
  /** The call by which a server is asked a question. Undefined: its list of tools must do as the sign of life. */
  askCall?(query: string): McpCall;
  /** Names of tools, as the server itself lists them, that it must have. */
  requiredTools: string[];
  /** Undefined: the engine needs no index. */
  index?: IndexStep;
  /** Undefined: each session's MCP server works by itself. */
  daemon?: DaemonProtocol;
}

/** A call of a server's tool, with the tool's name as the server lists it. */
export interface McpCall {
  tool: string;
  arguments: Record<string, unknown>;
}

/** How an engine makes its index, which lies in `identity.indexFolder` of the workspace. */
export interface IndexStep {
  arguments(workspace: string): string[];
  /** Arguments that print the state of the index. Undefined: an index folder with files in it is an index. */
  stateArguments?(workspace: string): string[];
  /** Reads what these arguments printed: the state, or the reasons why the index cannot be used. */
  readState?(text: string): IndexState | string[];
  /** Whether a file belongs to a process of another time and place, so that it is never copied. */
  isRuntimeFile(name: string): boolean;
  /** A file inside the index folder that must be empty or missing once the step has ended. */
  pendingFile?: string;
  /**
   * Reads what `stateArguments` printed for an index of another build: why this build must not answer from it, in a clause; undefined if
   * it may.
   */
  explainForeign?(text: string): string | undefined;
  /** Arguments that bring the index up to date with changed files. Undefined: an index is only ever made whole. */
  syncArguments?(workspace: string): string[];
  /**
   * A script for the build's own node. It is given the index folder and a file, and writes a line for each node and edge of the graph:
   * `N` or `E`, the kind, and a key that is the same in every index, separated by tabs. Undefined: the index cannot be read.
   */
  graphScript?: string;
}

/** The size of an index. Undefined where the engine does not say. */
export interface IndexState {
  files?: number | undefined;
  nodes?: number | undefined;
}

/** How a daemon that serves a workspace is recognized. */
export interface DaemonProtocol {
  /** File inside the index folder in which the daemon names its process and socket. */
  recordFile: string;
  /** Its log, inside the index folder. */
  logFile: string;
  /** Undefined if the text is no such record. */
  readRecord(text: string): DaemonRecord | undefined;
  /** Reads the first line that the daemon sends, parsed as JSON. Undefined if the line is no greeting. */
  readGreeting(line: unknown): (DaemonRecord & { version: string }) | undefined;
}

export interface DaemonRecord {
  /** As the daemon itself knows it: in a sandbox a different number than outside. */
  pid: number;
  socketPath: string;
}
