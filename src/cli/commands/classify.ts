import { readFileSync } from 'node:fs';
import { engineFor } from '../../engine/registry.js';
import { type ClassifiedCommand, renderClassified, writeOut } from '../../report/index.js';
import { classifyCommand } from '../../shell/index.js';
import { configuredEngine } from '../configured-engine.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { printFailure } from '../print-failure.js';

export interface ClassifyFlags {
  config?: string;
  file?: string;
  json?: boolean;
}

/** A command to be judged, with whatever else stood on its line. */
interface Given {
  command: string;
  cwd?: string;
  fields: Record<string, unknown>;
}

/**
 * `classify`: what the hook and the contamination count say of shell commands, and why. Reads arguments, else a file, else
 * standard input: one command a line, or JSON lines with `command` and `cwd`. Nothing is run and no file of a command is read.
 */
export async function classify(commands: string[], flags: ClassifyFlags, surroundings: Surroundings): Promise<number> {
  const configured = await configuredEngine(flags.config, surroundings);
  if (!configured.ok) return printFailure(configured.failure);
  const { identity } = engineFor(configured.value);
  const given =
    commands.length > 0 ? commands.map((command): Given => ({ command, fields: {} })) : readGiven(flags.file);
  if (typeof given === 'string') {
    return printFailure({
      reason: 'bad-input',
      message: given,
      advice: 'one command a line, or JSON lines with command and cwd: agent-eval help classify',
    });
  }
  const judged = given.map(({ command, cwd, fields }): ClassifiedCommand => {
    const { class: kind, reason } = classifyCommand(command, identity, cwd === undefined ? {} : { cwd });
    return { ...fields, command, class: kind, reason };
  });
  writeOut(renderClassified(judged, flags.json === true));
  return EXIT.done;
}

/** The commands of a file or of standard input; a text says what is wrong with them. */
function readGiven(file: string | undefined): Given[] | string {
  let text: string;
  try {
    text = readFileSync(file === undefined || file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    return `${file ?? 'standard input'} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  const lines = text.split(/\r?\n/).flatMap((line, at) => (line.trim() === '' ? [] : [{ line, number: at + 1 }]));
  // A command may begin with a brace as well; only a file whose first line is an object is one of JSON lines.
  const isJson = readLine(lines[0]?.line ?? '') !== undefined;
  const given: Given[] = [];
  for (const { line, number } of lines) {
    const read = isJson ? readLine(line) : { command: line, fields: {} };
    if (!read) return `line ${number} is no JSON object with a command: ${line.slice(0, 80)}`;
    given.push(read);
  }
  return given;
}

function readLine(line: string): Given | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    const fields: Record<string, unknown> = { ...parsed };
    const { command, cwd } = fields;
    if (typeof command !== 'string') return undefined;
    return { command, fields, ...(typeof cwd === 'string' ? { cwd } : {}) };
  } catch {
    return undefined;
  }
}
