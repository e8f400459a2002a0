import { expect, it } from 'vitest';
import { completionScript } from '../../src/cli/completion.js';
import { EXAMPLES, HEADINGS } from '../../src/cli/help.js';
import { makeProgram } from '../../src/cli/program.js';
import { DEFAULTS } from '../../src/model/defaults.js';

const program = makeProgram(
  { environment: {}, argv: [], signal: new AbortController().signal, color: 'never' },
  () => {},
);
const command = (name: string) => {
  const found = program.commands.find((candidate) => candidate.name() === name);
  if (!found) throw new Error(`no command ${name}`);
  return found;
};
const options = (name: string) => command(name).options.map(({ long }) => long);

it('offers no option that makes no sense for a command', () => {
  // `plan` starts nothing, so nothing can be continued, bounded, confirmed or gated.
  for (const option of ['--dry-run', '--campaign', '--retry', '--amend', '--yes', '--max-campaign-usd', '--gate']) {
    expect(options('plan')).not.toContain(option);
    expect(options('ab')).toContain(option);
  }
  // The tasks, builds and model of the demo are given.
  for (const option of ['--tasks', '--build', '--model', '--effort', '--rehearsal', '--yes', '--engine']) {
    expect(options('demo')).not.toContain(option);
  }
});

it('describes every option of every command once, and puts every shared option under a heading', () => {
  for (const { name, options: own } of program.commands.map((one) => ({ name: one.name(), options: one.options }))) {
    const flags = own.map(({ long }) => long);
    expect(new Set(flags).size, `${name}: ${flags}`).toBe(flags.length);
    for (const option of own) expect(option.description, `${name} ${option.flags}`).not.toBe('');
  }
});

it('puts commands and options into fish', () => {
  const script = completionScript('fish', program.commands);
  expect(script).toContain(
    `complete -c agent-eval -n "__fish_seen_subcommand_from ab" -l baseline -r -d 'required: git ref, npm:<package>@<version>, path:<dir> or worktree'\n`,
  );
  // An apostrophe in a description does not end its quotes.
  expect(script).toContain("(default: the config\\'s, else the current directory)'");
});

it('shows two examples of every command and subcommand, whose options that command has', () => {
  const parts = program.commands.flatMap((one) => [
    { name: one.name(), options: one.options.map(({ long }) => long) },
    ...one.commands.map((part) => ({
      name: `${one.name()} ${part.name()}`,
      options: [...one.options, ...part.options].map(({ long }) => long),
    })),
  ]);
  expect(Object.keys(EXAMPLES).sort()).toEqual(parts.map(({ name }) => name).sort());
  for (const { name, options: own } of parts) {
    const examples = EXAMPLES[name] ?? [];
    expect(new Set(examples).size, name).toBe(2);
    for (const example of examples) {
      expect(example).toMatch(new RegExp(`^${name}\\b`));
      // Examples of a group without an action of its own, such as `index`, are those of its one subcommand.
      const group = new Map([
        ['index', 'index diff'],
        ['facts', 'facts draft'],
      ]);
      const known = parts.find((part) => part.name === group.get(name))?.options ?? own;
      for (const [, option] of example.matchAll(/ (--[a-z-]+)/g)) expect(known, example).toContain(option);
    }
  }
  const placed = Object.values(HEADINGS).flat();
  for (const { name } of program.commands.map((one) => ({ name: one.name() }))) expect(placed).toContain(name);
});

it('takes the defaults of the help from those of the config', () => {
  const described = (long: string) => command('ab').options.find((option) => option.long === long)?.description;
  expect(described('--runs')).toContain(`default: ${DEFAULTS.runs})`);
  expect(described('--model')).toContain(`default: ${DEFAULTS.model})`);
  expect(described('--effort')).toContain(`default: ${DEFAULTS.effort})`);
  expect(described('--max-budget-usd')).toContain(`default: ${DEFAULTS.maxBudgetUsd})`);
});
