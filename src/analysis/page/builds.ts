import type { Manifest } from '../../model/manifest.js';
import type { CampaignPlan } from '../../model/plan.js';
import type { HtmlReport } from '../../report/index.js';
import type { TaskReport } from '../measure-tasks.js';

/** The arms with their builds: from the plan, completed from the manifest; of a folder without a plan, the labels alone. */
export function armsOf(
  tasks: TaskReport[],
  plan: CampaignPlan | undefined,
  manifest: Manifest | undefined,
): HtmlReport['arms'] {
  if (!plan) {
    const labels = new Set(tasks.flatMap(({ comparison }) => comparison.arms.map(({ label }) => label)));
    return [...labels].map((label) => ({ label, build: null, settings: [] }));
  }
  return plan.arms.map(({ label, build, environment }) => {
    const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    if (!build) return { label, build: null, settings };
    const made = manifest?.builds.find(({ arm }) => arm === label);
    const { title, text, pin, kind } = build;
    const { version = null, artefactHash = null } = made ?? {};
    return { label, build: { title, ref: text, pin, kind, version, artefactHash }, settings };
  });
}

const COMMIT = /^[0-9a-f]{40}$/;

/** From the baseline's commit to the tested one's, with a link where the manifest knows where the repository is on the web. */
export function commitsOf(plan: CampaignPlan | undefined, manifest: Manifest | undefined): HtmlReport['commits'] {
  const [tested, baseline] = plan?.arms.map(({ build }) => build) ?? [];
  if (plan?.arms.length !== 2 || !tested || !baseline) return null;
  if (!COMMIT.test(tested.pin) || !COMMIT.test(baseline.pin)) return null;
  const range = `${baseline.pin.slice(0, 12)}..${tested.pin.slice(0, 12)}`;
  const web = manifest?.engineRepository;
  return { range, href: web === undefined ? null : `${web}/compare/${baseline.pin}...${tested.pin}` };
}
