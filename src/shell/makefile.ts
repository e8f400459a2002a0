import type { Machine } from './machine.js';

const MAX_EXPANSIONS = 50;

interface Rule {
  needs: string[];
  recipe: string[];
}

/**
 * Runs the recipes of the wanted targets, the first where none is named, and of what they need; recipes of justfiles
 * look the same. Assignments that run a command (`$(shell …)`, `!=`) run it.
 */
export function runMakefile(
  text: string,
  targets: readonly string[],
  given: ReadonlyMap<string, string>,
  machine: Machine,
): void {
  const variables = new Map<string, string>();
  const rules = new Map<string, Rule>();
  let current: Rule | undefined;
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    if (/^\s+\S/.test(line) && current) {
      current.recipe.push(line.trim());
      continue;
    }
    const [, name, operator = '', value = ''] =
      /^\s*(?:export\s+)?([\w.-]+)\s*(:{0,3}=|[?+!]=)\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      const before = operator === '+=' ? `${variables.get(name) ?? ''} ` : '';
      const expanded = expand(value, variables, machine);
      variables.set(name, given.get(name) ?? before + (operator === '!=' ? machine.runText(expanded, '') : expanded));
      continue;
    }
    const [, names, after = ''] = /^([^#\s:=][^:=#]*?)\s*::?(?!=)\s*(.*)$/.exec(line) ?? [];
    if (names === undefined) continue;
    const [needs = '', ...inline] = after.split(';');
    current = { needs: needs.split(/\s+/).filter((need) => need !== ''), recipe: inline.map((one) => one.trim()) };
    for (const target of names.split(/\s+/)) rules.set(target, current);
  }
  for (const [name, value] of given) variables.set(name, value);
  const first = [...rules.keys()].find((name) => !name.startsWith('.'));
  const wanted = targets.length > 0 ? [...targets] : first === undefined ? [] : [first];
  for (const [, recipe] of reached(wanted, rules)) {
    for (const line of recipe) machine.runText(expand(line.replace(/^[@+-]+/, ''), variables, machine), '');
  }
}

function reached(wanted: readonly string[], rules: ReadonlyMap<string, Rule>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const open = [...wanted];
  for (let target = open.pop(); target !== undefined; target = open.pop()) {
    const rule = rules.get(target);
    if (found.has(target) || rule === undefined) continue;
    found.set(target, rule.recipe);
    open.push(...rule.needs);
  }
  return found;
}

/** Replaces `$(NAME)`, `$(shell …)` and `$$`. */
function expand(text: string, variables: ReadonlyMap<string, string>, machine: Machine): string {
  let result = text;
  for (let count = 0; count < MAX_EXPANSIONS; count++) {
    const match = /(?<!\$)\$(?:\(([^()$]*)\)|\{([^{}$]*)\}|\{\{\s*(\w+)\s*\}\})/.exec(result);
    if (match === null) break;
    const inner = match[1] ?? match[2] ?? match[3] ?? '';
    const [, command] = /^shell\s+(.*)$/s.exec(inner) ?? [];
    const value = command === undefined ? (variables.get(inner.trim()) ?? '') : machine.runText(command, '').trim();
    result = result.slice(0, match.index) + value + result.slice(match.index + match[0].length);
  }
  return result.replaceAll('$$', '$');
}
