import { createHash } from 'node:crypto';
import type { Task } from './config.js';
import { DEFAULT_ENGINE_NAME } from './engine.js';
import type { Manifest } from './manifest.js';
import type { CampaignPlan, Regime } from './plan.js';
import { DEFAULT_WINDOW_TOKENS } from './session.js';

/** The plan of a campaign, and the manifest of what ran. */
export interface CampaignMetadata {
  plan: CampaignPlan;
  manifest: Manifest;
}

/** One setting that could move a value. */
export interface Setting {
  /** As printed. */
  name: string;
  /** As printed. Undefined if the campaign does not record it: it then differs from everything, another missing value included. */
  value: string | undefined;
  /** A campaign has tasks and repos that another may lack. Every campaign has the other settings. */
  scope: 'campaign' | 'task' | 'repo';
}

/**
 * Returns every setting of a campaign that could move a value, except the arms, the number of repetitions, the time and the machine.
 * A field that this version does not know is a setting too. Without a manifest, only what the plan declares is returned.
 */
export function computeRegime({ plan, manifest }: { plan: CampaignPlan; manifest?: Manifest | undefined }): Setting[] {
  const fence = { name: 'fence', value: manifest ? manifest.fence : plan.regime.fence, scope: 'campaign' } as const;
  const { engine = DEFAULT_ENGINE_NAME } = plan;
  const settings: Setting[] = [
    ...declaredSettings(plan.regime),
    { name: 'engine', value: typeof engine === 'string' ? engine : JSON.stringify(engine), scope: 'campaign' },
    // The default host is no setting: the hash of a nightly run stays what it was.
    ...(plan.host === undefined ? [] : [{ name: 'agent host', value: plan.host, scope: 'campaign' } as const]),
    fence,
    ...unknownFields(plan, PLAN_FIELDS),
  ];
  if (manifest) settings.push(...versionSettings(manifest), ...unknownFields(manifest, MANIFEST_FIELDS));
  const planned = new Set(plan.trials.map((trial) => trial.task));
  const tasks = plan.tasks.filter(({ name }) => planned.has(name));
  for (const { name, repo, prompts, contextWindow } of tasks) {
    const window = contextWindow === undefined ? '' : `, window of ${contextWindow} tokens`;
    settings.push({ name: `task ${name}`, value: `on ${repo}${window}: ${prompts.join(' || ')}`, scope: 'task' });
  }
  return manifest ? [...settings, ...sourceSettings(tasks, manifest)] : settings;
}

function sourceSettings(tasks: Task[], { sources }: Manifest): Setting[] {
  const repos = new Set([...tasks.map((task) => task.repo), ...sources.map((source) => source.repo)]);
  return [...repos].map((repo) => {
    const hash = sources.find((source) => source.repo === repo)?.treeHash;
    return { name: `files of ${repo}`, value: hash?.slice(0, 16), scope: 'repo' };
  });
}

type Field = Exclude<keyof Regime, 'rehearsal' | 'fence'>;
const DECLARED: { [Key in Field]-?: [name: string, format: (value: Regime[Key], regime: Regime) => string] } = {
  model: ['model', (model, { rehearsal }) => (rehearsal ? `scripted, in place of ${model}` : model)],
  effort: ['effort', String],
  maxBudgetUsd: ['budget of a prompt', (usd) => `$${usd}`],
  windowTokens: ['window', windowText],
  toolSearch: ['tool search', (isOn) => (isOn ? 'on: MCP tools deferred' : 'left to the host: MCP tools up front')],
  jobs: ['concurrency (--jobs)', String],
};

/** What held before the option existed. A missing field that is not named here is not recorded. */
const BEFORE: Partial<Regime> = { jobs: 1 };

function declaredSettings(regime: Regime): Setting[] {
  const { rehearsal, fence, ...others } = { ...BEFORE, ...regime };
  const names = new Set([...Object.keys(DECLARED), ...Object.keys(others)]);
  return [...names].map((key): Setting => {
    const value: unknown = others[key as Field];
    const [name, format] = (Object.hasOwn(DECLARED, key) ? DECLARED[key as Field] : [key, JSON.stringify]) as [
      string,
      (value: unknown, regime: Regime) => string,
    ];
    return { name, value: value === undefined ? undefined : format(value, regime), scope: 'campaign' };
  });
}

function windowText(tokens: number): string {
  return `${tokens} tokens${tokens === DEFAULT_WINDOW_TOKENS ? ' unless the log reports another' : ''}`;
}

function versionSettings({ versions }: Manifest): Setting[] {
  // Node and git belong to the machine. Of a version that is not known here, assume that it bears on the runs.
  const { node, git, ...others } = versions;
  return Object.entries(others).map(([key, value]) => ({
    name: key === 'agentEval' ? 'agent-eval' : key,
    value,
    scope: 'campaign',
  }));
}

/** Why each field of a plan is or is not part of the regime. The compiler asks for an entry for every new field. */
const PLAN_FIELDS: Record<keyof CampaignPlan, 'regime' | 'arms' | 'size' | 'evaluation'> = {
  ...{ regime: 'regime', tasks: 'regime', repos: 'regime', engine: 'regime', host: 'regime' },
  arms: 'arms',
  ...{ formatVersion: 'size', command: 'size', runs: 'size', seed: 'size', trials: 'size' },
  verdict: 'evaluation',
};

/** The same for the fields of a manifest. */
const MANIFEST_FIELDS: Record<keyof Manifest, 'regime' | 'arms' | 'machine' | 'record'> = {
  ...{ regime: 'regime', versions: 'regime', fence: 'regime', sources: 'regime' },
  ...{ builds: 'arms', engineRepository: 'arms' },
  ...{ host: 'machine', environmentKeys: 'machine', cwd: 'machine', fenceEvidence: 'machine' },
  ...{ formatVersion: 'record', command: 'record', argv: 'record', startedAt: 'record', endedAt: 'record' },
  ...{ planHash: 'record', sessions: 'record', canary: 'record', parts: 'record', amendments: 'record' },
};

function unknownFields(value: object, known: Record<string, string>): Setting[] {
  return Object.entries(value).flatMap(([name, field]): Setting[] =>
    Object.hasOwn(known, name) ? [] : [{ name, value: JSON.stringify(field), scope: 'campaign' }],
  );
}

/** A setting in which two campaigns differ. A side is undefined if that campaign has no such setting (another task, for example). */
export interface SettingDifference {
  name: string;
  scope: Setting['scope'];
  a: Setting | undefined;
  b: Setting | undefined;
}

/** Returns the settings in which two campaigns differ. A value that is not recorded differs from every value. */
export function compareRegimes(a: Setting[], b: Setting[]): SettingDifference[] {
  const names = new Set([...a, ...b].map(({ name }) => name));
  return [...names].flatMap((name): SettingDifference[] => {
    const [ours, theirs] = [a, b].map((settings) => settings.find((setting) => setting.name === name));
    const isEqual = ours?.value !== undefined && ours.value === theirs?.value;
    return isEqual ? [] : [{ name, scope: (ours ?? theirs)?.scope ?? 'campaign', a: ours, b: theirs }];
  });
}

const MAX_SHOWN_CHARS = 100;

/** Formats a difference as `effort: high / low`, with the separator between the two values. */
export function formatDifference({ name, a, b }: SettingDifference, separator: string): string {
  return `${name}: ${formatValue(a)}${separator}${formatValue(b)}`;
}

function formatValue(setting: Setting | undefined): string {
  if (setting === undefined) return '(none)';
  const { value } = setting;
  if (value === undefined) return '(not recorded)';
  return value.length > MAX_SHOWN_CHARS ? `${value.slice(0, MAX_SHOWN_CHARS)}…` : value;
}

/**
 * Returns one line for each setting in which two campaigns differ, as `effort: high / low`. Empty if their values may be compared.
 */
export function regimeDifferences(a: CampaignMetadata, b: CampaignMetadata): string[] {
  return compareRegimes(computeRegime(a), computeRegime(b)).map((difference) => formatDifference(difference, ' / '));
}

/** Returns the regime and the builds that ran: what must stay the same within one campaign. */
export function computeCampaignSettings({ plan, manifest }: CampaignMetadata): Setting[] {
  const builds = manifest.builds.map(({ arm, title, artefactHash }): Setting => {
    return { name: `build of ${arm} (${title})`, value: artefactHash.slice(0, 16), scope: 'campaign' };
  });
  return [...computeRegime({ plan, manifest }), ...builds];
}

/**
 * Returns a hash over the regime and `others`. Campaigns with equal hashes may be compared. Null if a setting is not recorded, so that
 * the campaign is equal to none.
 */
export function hashRegime(settings: Setting[], others: unknown): string | null {
  if (settings.some(({ value }) => value === undefined)) return null;
  const facts = [settings.map(({ name, value }) => [name, value]).sort(), others];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}
