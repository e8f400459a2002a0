import type { Manifest } from '../../model/manifest.js';
import type { CampaignPlan } from '../../model/plan.js';
import type { RegimeBox } from '../../report/index.js';

/** What else is known of how the campaign was held, for those who want to check: label and value. */
export function factsOf(plan: CampaignPlan | undefined, manifest: Manifest | undefined): RegimeBox {
  const facts: RegimeBox = [];
  if (plan) facts.push(['seed', String(plan.seed)]);
  if (!manifest) return facts;
  const { versions, host, argv, planHash, canary, fenceEvidence, amendments, parts, environmentKeys } = manifest;
  facts.push(
    ['command', ['agent-eval', ...argv].join(' ')],
    ['plan', planHash],
    ['versions', `agent-eval ${versions.agentEval}, node ${versions.node}, claude ${versions.claude}, ${versions.git}`],
    ['host', `${host.platform} ${host.arch}, ${host.cores} cores, ${Math.round(host.memoryBytes / 2 ** 30)} GiB`],
  );
  for (const { repo, treeHash, files } of manifest.sources)
    facts.push([`source ${repo}`, `${treeHash}, ${files} files`]);
  if (environmentKeys.length > 0) facts.push(['environment of a session', environmentKeys.join(' ')]);
  for (const [name, value] of Object.entries(canary ?? {})) facts.push([`canary ${name}`, value]);
  for (const [name, value] of Object.entries(fenceEvidence ?? {})) facts.push([name, value]);
  for (const { name, startedAt } of parts ?? []) facts.push(['shard', `${name}, ${startedAt}`]);
  for (const { at, differences } of amendments ?? []) facts.push([`amended ${at}`, differences.join('; ')]);
  return facts;
}
