import type { CommandClass } from '../model/families.js';
import type { EngineNames } from './names.js';
import type { ShellState } from './state.js';

/** One program call, its words expanded. */
export interface Call {
  /** As typed. */
  name: string;
  /** Without folder and Windows extension: what decides how the call is understood. */
  base: string;
  args: string[];
  stdin: string;
}

/** What the parts that know programs may ask of the part that runs shell syntax. */
export interface Machine {
  readonly names: EngineNames;
  readonly state: ShellState;
  /** Notes that the command runs the engine or reads its data. */
  report(found: Exclude<CommandClass, 'mention'>, reason: string): void;
  /** Runs shell text, with positional parameters; returns what it would print. */
  runText(text: string, stdin: string, positional?: readonly string[]): string;
  /** Runs one command, functions and aliases included; returns what it would print. */
  runArgv(argv: readonly string[], stdin: string): string;
  /** Runs one program, as `env` and other programs do: functions and aliases are not seen. */
  runProgram(argv: readonly string[], stdin: string): string;
  /** Every path that a path may stand for: itself made absolute, what it was linked or copied from, its real path. */
  candidates(path: string): string[];
  /** A file's text as far as it is known: written by this command, or a script that can be read; else unknown. */
  readFile(path: string): string;
}

/** How one program is understood: what it runs or reads is reported, what it prints is returned. */
export type Handler = (call: Call, machine: Machine) => string;
export type Handlers = Record<string, Handler>;
