import type { EngineIdentity } from '../model/engine.js';
import { isAnyFolder, segmentsOf, spelled, spelledTail } from './paths.js';
import { hasGlob, literalOf, UNKNOWN } from './symbols.js';

/** A glob must spell out this much of a name before it counts as that name. */
const MIN_SPELLED = 3;
const MIN_SPELLED_ENTRY = 6;
const SCRIPT_EXTENSION = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const PROGRAM_EXTENSION = /\.(?:cmd|exe|bat|ps1)$/i;
/** A sixteen-digit hash as engines put it into socket names. */
const SAMPLE_HASH = '0123456789abcdef';

/** Answers, from the engine's identity alone, whether a path or name is the engine's. Paths are normalised ones. */
export class EngineNames {
  private readonly sockets: RegExp[];
  private readonly entries: string[][];
  /** The index folder and names that the command itself gives it. */
  readonly indexFolders: Set<string>;

  constructor(readonly identity: EngineIdentity) {
    this.sockets = identity.socketPatterns.map((source) => new RegExp(`(?:^|/)(?:${source})$`));
    this.entries = identity.entryPaths.map(segmentsOf);
    this.indexFolders = new Set([identity.indexFolder]);
  }

  /** Executing this path or bare name runs the engine's program. */
  isProgram(path: string): boolean {
    if (/^\/proc\/(?!self\/|thread-self\/)[^/]+\/exe$/.test(path)) return true;
    const last = segmentsOf(path).at(-1) ?? '';
    if (path.endsWith('/')) return false;
    const base = PROGRAM_EXTENSION.test(last) ? last.replace(PROGRAM_EXTENSION, '').toLowerCase() : last;
    return this.isCliName(base) || this.isEntry(path);
  }

  /** A script that an interpreter runs is the engine's entry, or its package folder. */
  isScript(path: string): boolean {
    return this.isProgram(path) || this.isPackageFolder(path);
  }

  /** A bare name is the program's, globs included. */
  isCliName(name: string): boolean {
    return this.identity.cliNames.some((cli) => {
      const count = spelled(name, cli);
      return count === cli.length || count >= MIN_SPELLED;
    });
  }

  private isEntry(path: string): boolean {
    const segments = segmentsOf(path);
    const bare = [...segments.slice(0, -1), (segments.at(-1) ?? '').replace(SCRIPT_EXTENSION, '')];
    if (this.entries.some((entry) => this.endsAsEntry(segments, bare, entry, path))) return true;
    if (this.packageEnd(segments) >= 0 && SCRIPT_EXTENSION.test(path) && !path.endsWith('.d.ts')) return true;
    const parent = segments.at(-2);
    const byName = bare.at(-1) !== segments.at(-1) && this.isCliName(bare.at(-1) ?? '');
    return (
      byName && (parent === undefined || /^\.?bin$/.test(parent) || parent.includes(UNKNOWN) || isAnyFolder(parent))
    );
  }

  private endsAsEntry(segments: string[], bare: string[], entry: string[], path: string): boolean {
    const last = entry.at(-1) ?? '';
    const withoutExtension = [...entry.slice(0, -1), last.replace(SCRIPT_EXTENSION, '')];
    const count = Math.max(spelledTail(segments, entry), spelledTail(bare, withoutExtension));
    if (count < 0) return false;
    const speaks = this.identity.cliNames.some((cli) => last.includes(cli)) && entry.length > 1;
    if (!speaks) return this.packageEnd(segments) >= 0;
    return !hasGlob(path) || count >= MIN_SPELLED_ENTRY;
  }

  /** Index just after the package's name within a path, or -1. */
  private packageEnd(segments: readonly string[]): number {
    for (const [at] of segments.entries()) {
      for (const name of this.identity.packageNames) {
        const parts = name.split('/');
        const scoped = parts.length > 1 || segments[at - 1] === 'node_modules';
        if (scoped && parts.every((part, offset) => matchesName(segments[at + offset] ?? '', part))) {
          return at + parts.length;
        }
      }
    }
    return -1;
  }

  /** The path is the folder of an installed package of the engine. */
  isPackageFolder(path: string): boolean {
    const segments = segmentsOf(path);
    return segments.length > 0 && this.packageEnd(segments) === segments.length;
  }

  /** What a package runner is asked to run carries the engine's program: `pkg`, `pkg@1.2.3`, a URL, a folder. */
  isPackageSpec(spec: string): boolean {
    const name = spec.replace(/^npm:/, '').replace(/(.)@[^/]*$/, '$1');
    if (this.isCliName(name) || this.identity.packageNames.some((known) => matchesName(name, known))) return true;
    if (this.isPackageFolder(spec)) return true;
    if (!/^(?:github:|gitlab:|git[+@:]|https?:|file:|[./~])|\.tgz$|^[\w-]+\/[\w-]+$/.test(spec)) return false;
    const base = (segmentsOf(spec.replace(/#.*$/, '')).at(-1) ?? '').replace(/\.git$|(?:-\d[\w.-]*)?\.tgz$/, '');
    return this.isCliName(base) || this.identity.cliNames.some((cli) => base.endsWith(`-${cli}`));
  }

  /** A module specifier that loads the engine's code. */
  isModule(specifier: string): boolean {
    if (/\.(?:json|md|d\.ts)$/.test(specifier)) return false;
    const segments = segmentsOf(specifier.replace(/^npm:/, '').replace(/(.)@[^/]*(?=\/|$)/, '$1'));
    return this.packageEnd(segments) >= 0 || this.isScript(specifier);
  }

  /**
   * Reading this path reads the index, or opening it talks to the daemon. `broad`: the reader takes whole folders or
   * whatever a glob gives it.
   */
  isData(path: string, broad: boolean): boolean {
    if (this.isSocket(path)) return true;
    const segments = segmentsOf(path);
    const last = segments.at(-1) ?? '';
    if (broad && [...this.indexFolders].some((folder) => spelled(last, folder) >= MIN_SPELLED)) return true;
    if (path.endsWith('/')) return false;
    const parent = segments.at(-2);
    if (isAnyFolder(last)) return broad && parent !== undefined && this.isIndexFolder(parent) >= 0;
    const { indexFiles } = this.identity;
    if (indexFiles.length === 0)
      return segments.slice(0, -1).some((folder) => this.isIndexFolder(folder) >= MIN_SPELLED);
    return indexFiles.some((file) => {
      const count = spelled(last, file);
      if (count < 0) return false;
      if (count === file.length && file.includes(this.identity.name)) return true;
      if (parent === undefined) return false;
      if (isAnyFolder(parent)) return hasGlob(last) && count > 1;
      const folder = this.isIndexFolder(parent);
      return folder >= 0 && (broad || folder + count >= MIN_SPELLED) && (count > 0 || broad);
    });
  }

  private isIndexFolder(segment: string): number {
    return Math.max(...[...this.indexFolders].map((folder) => spelled(segment, folder)));
  }

  private isSocket(path: string): boolean {
    if (this.sockets.some((socket) => socket.test(path))) return true;
    if (!hasGlob(path) || literalOf(path).length < MIN_SPELLED) return false;
    const sample = `${this.identity.name}-${SAMPLE_HASH}.sock`;
    return this.sockets.some((socket) => socket.test(sample)) && spelled(segmentsOf(path).at(-1) ?? '', sample) >= 2;
  }
}

/** `pattern` may end in `*`. */
function matchesName(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
