import type { EngineIdentity } from '../model/engine.js';
import type { CommandClass } from '../model/families.js';
import type { CommandJudgement, ShellContext } from '../model/shell.js';
import { EngineNames } from './names.js';
import { ShellState } from './state.js';
import { PROGRAM, UNKNOWN } from './symbols.js';

/** What is known while a command line runs on stand-ins: the engine's names, files and links, and what was found. */
export class Knowledge {
  readonly names: EngineNames;
  readonly state: ShellState;
  private found: { class: CommandClass; reason: string } | undefined;
  private readonly texts = new Map<string, string>();

  constructor(
    identity: EngineIdentity,
    private readonly context: ShellContext,
  ) {
    this.names = new EngineNames(identity);
    this.state = new ShellState(context.cwd ?? '');
  }

  judgement(): CommandJudgement {
    return this.found ?? { class: 'mention', reason: 'nothing in it reaches the tool' };
  }

  report(found: Exclude<CommandClass, 'mention'>, reason: string): void {
    if (this.found === undefined || (this.found.class === 'data' && found === 'invoke')) {
      this.found = { class: found, reason };
    }
  }

  candidates(path: string): string[] {
    const full = this.state.resolve(path);
    const found = [full];
    for (let hop = this.state.originOf(full), hops = 0; hop !== undefined && hops < 8; hops++) {
      found.push(hop);
      hop = this.state.originOf(hop);
    }
    if (this.context.realpath && !/[\uE000-\uE004]/.test(full)) {
      const real = this.context.realpath(full);
      if (real !== undefined) found.push(real);
    }
    return [...new Set(found)];
  }

  readFile(path: string): string {
    const paths = this.candidates(path);
    const written = paths.map((one) => this.state.files.get(one)).find((text) => text !== undefined);
    if (written !== undefined) return written;
    if (paths.some((one) => this.names.isProgram(one))) return PROGRAM;
    if (paths.some((one) => /^\/proc\/(?!self\/)[^/]+\/cmdline$/.test(one))) {
      return `${this.names.identity.cliNames[0] ?? ''}\0${UNKNOWN}`;
    }
    const full = paths[0] ?? path;
    if (!this.context.readScript || /[\uE000-\uE004]/.test(full)) return UNKNOWN;
    const known = this.texts.get(full) ?? this.context.readScript(full) ?? UNKNOWN;
    this.texts.set(full, known);
    return known;
  }
}
