/**
 * What is particular to the engine under test. `shell` and `metrics` are handed these values; no other room but
 * `engine` spells the engine's names.
 */

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
  /** File names inside the index folder: database, socket, pid files. */
  indexFiles: string[];
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
}
