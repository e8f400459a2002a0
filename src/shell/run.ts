import {
  type AndOr,
  type Assignment,
  type Case,
  type Command,
  type CommandNode,
  type CompoundList,
  type For,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  parse,
  type Redirection,
  type Select,
  type Statement,
  type While,
} from 'unbash';
import type { EngineIdentity } from '../model/engine.js';
import type { ShellContext } from '../model/shell.js';
import { dispatch } from './dispatch.js';
import { Knowledge } from './knowledge.js';
import type { Machine } from './machine.js';
import type { FunctionBody, ShellState } from './state.js';
import { assign, expandArgv, readRedirects } from './surroundings.js';
import { baseOf, clip, PROGRAM, UNKNOWN, UNSEEN_SCRIPT } from './symbols.js';
import { expandText, expandWord, runInside, runTest, type WordSource } from './words.js';

/** Bounds of one judgement: commands run, and nesting of texts, functions and substitutions. */
const MAX_STEPS = 3_000;
const MAX_DEPTH = 40;

/** Told of every program call, before it is judged. `isWritten`: what it prints goes into a file. */
type Observer = (argv: readonly string[], state: ShellState, isWritten: boolean) => void;

/** Runs a command line on stand-ins: no process, no file written; only what it would reach is noted. */
export class Runner extends Knowledge implements Machine, WordSource {
  private steps = 0;
  private depth = 0;
  /** Above 0 while what is printed goes into a file. */
  private writing = 0;

  constructor(
    identity: EngineIdentity,
    context: ShellContext,
    private readonly observe?: Observer,
  ) {
    super(identity, context);
  }

  /** The bounds were met: what came after was not looked at. */
  get isExhausted(): boolean {
    return this.steps > MAX_STEPS;
  }

  runText(text: string, stdin: string, positional?: readonly string[]): string {
    if (text.includes(PROGRAM)) {
      this.report('invoke', `feeds ${this.names.identity.name}'s own program to an interpreter`);
      return UNKNOWN;
    }
    if (text.includes(UNSEEN_SCRIPT)) this.report('invoke', 'executes a package script that cannot be seen');
    if (this.depth >= MAX_DEPTH || text.trim() === '') return '';
    return this.nested(positional ? [...positional] : this.state.positional, () =>
      this.statements(parse(text).commands, stdin),
    );
  }

  runArgv(argv: readonly string[], stdin: string): string {
    if (argv.length === 0 || this.steps++ > MAX_STEPS || this.depth >= MAX_DEPTH) return UNKNOWN;
    const [name = '', ...args] = argv;
    const body = this.state.functions.get(name);
    if (body) return this.nested([name, ...args], () => this.node(body, stdin));
    const alias = this.state.aliases.get(name);
    if (alias !== undefined) return this.runText([alias, ...args].join(' '), stdin);
    return this.runProgram(argv, stdin);
  }

  runProgram(argv: readonly string[], stdin: string): string {
    if (argv.length === 0 || this.steps++ > MAX_STEPS || this.depth >= MAX_DEPTH) return UNKNOWN;
    this.observe?.(argv, this.state, this.writing > 0);
    this.depth++;
    try {
      return clip(dispatch(argv, stdin, this));
    } finally {
      this.depth--;
    }
  }

  capture(script: ParsedScript, stdin = UNKNOWN): string {
    return this.nested(this.state.positional, () => this.statements(script.commands, stdin));
  }

  substitutionPath(text: string): string {
    return this.state.writeSubstitution(text);
  }

  /** Runs with parameters and a working folder of its own, as a subshell does. */
  private nested(positional: string[] | undefined, run: () => string): string {
    if (this.depth >= MAX_DEPTH) return UNKNOWN;
    const before = this.state.positional;
    this.state.positional = positional;
    this.depth++;
    try {
      return clip(run());
    } finally {
      this.depth--;
      this.state.positional = before;
    }
  }

  private list(list: CompoundList | undefined, stdin: string): string {
    return list ? this.statements(list.commands, stdin) : '';
  }

  private statements(statements: readonly Statement[], stdin: string): string {
    return clip(statements.map((statement) => this.node(statement.command, stdin)).join(''));
  }

  /** Runs one node of the syntax and returns what it would print. */
  node(node: PipelineNode | AndOr | FunctionBody, stdin: string): string {
    if (this.steps++ > MAX_STEPS) return UNKNOWN;
    switch (node.type) {
      case 'Command':
        return this.command(node, stdin);
      case 'Pipeline':
        return this.pipeline(node, stdin);
      case 'AndOr':
        return this.andOr(node, stdin);
      case 'CompoundList':
        return this.list(node, stdin);
      case 'BraceGroup':
        return this.list(node.body, stdin);
      case 'Subshell':
        return this.state.inFolder(() => this.list(node.body, stdin));
      case 'Redirected':
        return this.redirected(node.redirects, stdin, undefined, (input) => this.node(node.command, input));
      case 'Function':
        this.state.functions.set(node.name.value, node.body);
        return '';
      case 'Coproc':
        return this.node(node.body, UNKNOWN);
      default:
        return this.compound(node, stdin);
    }
  }

  private compound(node: Exclude<CommandNode, Command> | FunctionBody, stdin: string): string {
    switch (node.type) {
      case 'If':
        return this.state.maybe(() => {
          const branches = [node, ...node.elif].map((one) => this.list(one.clause, stdin) + this.list(one.then, stdin));
          return branches.join('') + this.list(node.else, stdin);
        });
      case 'While':
        return this.whileLoop(node, stdin);
      case 'For':
      case 'Select':
        return this.forLoop(node, stdin);
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update]) runInside(part, this);
        return this.state.maybe(() => this.list(node.body, stdin));
      case 'Case':
        return this.caseOf(node, stdin);
      case 'TestCommand':
        runTest(node, this);
        return '';
      case 'ArithmeticCommand':
        runInside(node.expression, this);
        return '';
      default:
        return '';
    }
  }

  private pipeline(node: Pipeline, stdin: string): string {
    const all = node.commands.length > 1;
    return node.commands.reduce(
      (input, command) => (all ? this.state.inFolder(() => this.node(command, input)) : this.node(command, input)),
      stdin,
    );
  }

  private andOr(node: AndOr, stdin: string): string {
    const [first, ...rest] = node.commands;
    const start = first ? this.node(first, stdin) : '';
    return start + this.state.maybe(() => rest.map((command) => this.node(command, stdin)).join(''));
  }

  private whileLoop(node: While, stdin: string): string {
    return this.state.maybe(() => this.list(node.clause, stdin) + this.list(node.body, stdin));
  }

  private forLoop(node: For | Select, stdin: string): string {
    const words = node.wordlist
      ? node.wordlist.flatMap((word) => expandWord(word, this).flat())
      : (this.state.positional?.slice(1) ?? [UNKNOWN]);
    return this.state.maybe(() =>
      [...new Set(words)]
        .slice(0, 40)
        .map((value) => {
          this.state.bind(node.name.value, value);
          return this.list(node.body, stdin);
        })
        .join(''),
    );
  }

  private caseOf(node: Case, stdin: string): string {
    expandText(node.word, this);
    return this.state.maybe(() => node.items.map((item) => this.list(item.body, stdin)).join(''));
  }

  private command(node: Command, stdin: string): string {
    const assignments = node.prefix.filter((part): part is Assignment => part.type === 'Assignment');
    const words = [...(node.name ? [node.name] : []), ...node.args];
    const argvs = expandArgv(words, this);
    // A plain assignment lasts; before a command it is the command's environment, which we need not undo.
    for (const assignment of assignments) assign(assignment, this);
    const program = baseOf(argvs[0]?.[0] ?? '');
    return this.redirected(node.redirects, stdin, program, (input) =>
      argvs.map((argv) => this.runArgv(argv, input)).join(argvs.length > 1 ? '\n' : ''),
    );
  }

  /** Runs with standard input from, and output to, where the redirects point. */
  private redirected(
    redirects: readonly Redirection[],
    stdin: string,
    program: string | undefined,
    run: (stdin: string) => string,
  ): string {
    const { input, outputs } = readRedirects(redirects, stdin, program, this);
    const isWriting = outputs.some(({ path }) => !path.startsWith('/dev/'));
    if (isWriting) this.writing++;
    const text = run(input);
    if (isWriting) this.writing--;
    for (const { path, append } of outputs) {
      if (!path.startsWith('/dev/')) this.state.writeFile(path, text, append);
    }
    return outputs.length > 0 ? '' : text;
  }
}
