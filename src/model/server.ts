import { z } from 'zod';

/**
 * An MCP server that a user describes in the config as the engine under test (docs/servers.md). Plain data: it stands in the
 * plan of a campaign, so that a report can be made again without the config.
 */

const text = z.string().trim().min(1, 'must not be empty');
const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,40}$/, 'needs letters, digits, - and _, and must begin with a letter or digit');
const toolName = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be the name of a tool as the server lists it');
const programName = z.string().regex(/^[A-Za-z0-9][\w.+-]*$/, 'must be the name of a program, without a folder');
const packageName = z
  .string()
  .regex(
    /^(@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*\*?$/i,
    'must be the name of a package; a * at its end stands for any end',
  );
const folderName = z
  .string()
  .regex(/^(?!\.{1,2}$)[^/\\\0]+$/, 'must be the name of one folder or file, without a path');
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is no variable name');
const relative = z
  .string()
  .refine(
    (path) => path !== '' && !path.startsWith('/') && !path.split('/').includes('..'),
    'must be a path inside the package',
  );

export const serverSchema = z
  .strictObject({
    /** Name of the MCP server: the agent sees its tools as `mcp__<name>__…`. */
    name,
    /** The name in tables. Default: `name`. */
    label: text.optional(),
    /** npm packages that carry the server; the first one is the package to install. */
    packages: z.array(packageName).min(1),
    /** The script that runs, relative to the package or the built checkout. `engine.entry` wins. */
    entry: relative,
    /** Names of its programs on a PATH. */
    cliNames: z.array(programName).min(1),
    /** Arguments of the script that start the MCP server; `{workspace}` stands for the trial's workspace. */
    serve: z.array(z.string()),
    /** Arguments of the script that make the index. Left out: the server needs none. */
    index: z.array(z.string()).min(1).optional(),
    /** Folder in the workspace that holds the index. */
    indexFolder: folderName.optional(),
    /** Files in the index folder, by which shell commands that read the index are recognized. */
    indexFiles: z.array(folderName).default([]),
    /** Folder in HOME in which the server keeps things. */
    homeFolder: folderName.optional(),
    /** Beginning of the names of its environment variables. Default: `name` in capitals and an underscore. */
    environmentPrefix: variable.optional(),
    /** Variables of every process of the server, equal in every arm. */
    environment: z.record(variable, z.string()).default({}),
    /** The tools whose answers sufficiency classifies. Default: every tool of the server. */
    exploreTools: z.array(toolName).min(1).optional(),
    /** A question that the server must answer before a session starts; `{query}` stands for the question. */
    ask: z.strictObject({ tool: toolName, arguments: z.record(z.string(), z.json()).default({}) }).optional(),
    /** Beginnings of answers that hold nothing although they are no errors. */
    noAnswer: z.array(text).default([]),
  })
  .superRefine((server, context) => {
    if (server.index && server.indexFolder === undefined) {
      context.addIssue({ code: 'custom', path: ['indexFolder'], message: 'name the folder that the index step makes' });
    }
    if (!server.index && server.indexFiles.length > 0 && server.indexFolder === undefined) {
      context.addIssue({ code: 'custom', path: ['indexFiles'], message: 'needs indexFolder' });
    }
  });

export type ServerDescription = z.infer<typeof serverSchema>;
export type ServerInput = z.input<typeof serverSchema>;
