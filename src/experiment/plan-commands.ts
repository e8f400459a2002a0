import { engineFor } from '../engine/registry.js';
import { type AgentHost, agentHost, allowedEnvironment, allowList } from '../host/index.js';
import type { Config } from '../model/config.js';
import type { Engine } from '../model/engine.js';
import type { Arm, CampaignPlan, Regime } from '../model/plan.js';
import type { PlanCommands } from '../report/index.js';
import { quoteForShell } from '../util/quote.js';

/** The commands that a plan stands for, as shell lines: builds first, then every trial's sessions. */
export function planCommands(plan: CampaignPlan, config: Config, caller: Record<string, string>): PlanCommands {
  const host = agentHost(plan.host);
  const { model, effort, maxBudgetUsd } = plan.regime;
  // Where the trial's own files will lie is known only when it runs.
  const place = {
    hostPath: host.program,
    mcpConfigFile: '<trial>/mcp.json',
    settingsFile: '<trial>/settings.json',
  };
  const line = (resumeId?: string) =>
    host.arguments(place, { model, effort, maxBudgetUsd }, resumeId).map(quote).join(' ');
  const trials = plan.trials.map((trial): [string, string[]] => {
    const prompts = plan.tasks.find((task) => task.name === trial.task)?.prompts ?? [];
    return [
      trial.id,
      prompts.map((prompt, index) => `echo ${quote(prompt)} | ${line(index === 0 ? undefined : '<session>')}`),
    ];
  });
  return {
    environment: environmentLines(host, engineFor(plan.engine), plan.regime, caller),
    setup: plan.arms.flatMap((arm) => setupLines(arm, config)),
    trials: Object.fromEntries(trials),
  };
}

/** Names, and the values that we set ourselves; never a value of the caller's. */
function environmentLines(
  host: AgentHost,
  { identity, runtime }: Engine,
  { rehearsal, toolSearch }: Regime,
  caller: Record<string, string>,
): string[] {
  const { plain, login } = allowList(host.login.variables);
  const yours = Object.keys(allowedEnvironment(caller, rehearsal ? [] : host.login.variables)).sort();
  const set = { ...host.sessionVariables({ toolSearch }), ...runtime.sessionEnvironment };
  const ours = host.folderVariables.join(' ');
  const prefixes = [...host.variablePrefixes, identity.environmentPrefix.replace(/_$/, '')];
  return [
    `passed on from yours: ${plain.join(' ')}`,
    `the login, ${rehearsal ? 'not passed on to a scripted model' : 'passed on as well'}: ${login.join(' ')}`,
    `that is, of what is set here: ${yours.join(' ') || 'nothing'}`,
    `set: ${Object.entries(set)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')}`,
    `set to the trial's own: PATH (without the engine's CLI) HOME ${ours} TMPDIR AGENT_EVAL_TRIAL AGENT_EVAL_START`,
    `nothing else: no other ${prefixes.map((prefix) => `${prefix}*`).join(', ')} of yours`,
  ];
}

function setupLines({ label, build }: Arm, config: Config): string[] {
  if (build === null) return [];
  const { spec } = build;
  if (spec.kind === 'npm') return [`${label}: npm install ${spec.packageName}@${spec.version}`];
  if (spec.kind === 'path') return [`${label}: as it is in ${spec.dir}`];
  return config.engine.build.map((command) => `${label} at ${build.pin.slice(0, 12)}: ${command}`);
}

function quote(word: string): string {
  return /^[\w@%+=:,./<>-]+$/.test(word) ? word : quoteForShell(word);
}
