/**
 * Does a verdict keep its word? False alarms, power and coverage by seeded simulation, on the code that makes the verdicts.
 * ln y = task + effect of the task + noise of the run: 0.25 between tasks, 0.30 between runs, unless said otherwise.
 * usage: npx jiti bench/statistics.ts [seed] [simulations]   (a minute or two; prints the table of docs/statistics.md)
 */
import type { MetricDeclaration, Observation, VerdictDesign } from '../src/model/verdict.js';
import { evenShape } from '../src/statistics/admissible.js';
import { bootstrapT, lnRatioOfSums, pooledStatistic, shareDifference } from '../src/statistics/bootstrap.js';
import { normalQuantile } from '../src/statistics/distributions.js';
import {
  corpusEstimate,
  corpusPooledEstimate,
  type Estimated,
  tasksEstimate,
  tInterval,
} from '../src/statistics/estimate.js';
import { contradicts, signFlipTest, swapTest } from '../src/statistics/exact.js';
import { tailAt } from '../src/statistics/looks.js';
import { mean, quantileOfSorted, variance } from '../src/statistics/moments.js';
import {
  type ClusterSums,
  clusterSums,
  clusterTotals,
  differenceOf,
  type PairedTask,
} from '../src/statistics/pairs.js';
import { DEFAULT_SIGMA, detectableEffect } from '../src/statistics/planning.js';
import { type Random, randomFrom } from '../src/statistics/random.js';
import { verdictsOf } from '../src/statistics/verdict.js';

const seed = Number(process.argv[2] ?? 1);
const many = Number(process.argv[3] ?? 4_000);
const few = Math.max(1, Math.round(many / 5));

interface World {
  tasks: number;
  runs: number;
  effect: number;
  between?: number;
  noise?: number;
}

/** One campaign: pairs on the scale of the arithmetic, and the tasks' true effects. */
function campaign(world: World, random: Random): { tasks: PairedTask[]; truth: number[] } {
  const { between = 0.25, noise = 0.3 } = world;
  const truth: number[] = [];
  const tasks = Array.from({ length: world.tasks }, (_, index): PairedTask => {
    const level = random.normal();
    const effect = world.effect + between * random.normal();
    truth.push(effect);
    const side = (x: number) => ({ run: '', x, y: Math.exp(x), part: x, whole: 1 });
    const pairs = Array.from({ length: world.runs }, (_, run) => ({
      repetition: run + 1,
      baseline: side(level + noise * random.normal()),
      tested: side(level + effect + noise * random.normal()),
      order: null,
    }));
    return { task: `q${index}`, repo: `q${index}`, pairs };
  });
  return { tasks, truth };
}

type Method = (tasks: PairedTask[], random: Random) => [number, number] | undefined;

function byT(estimate: Estimated, tail = 0.025): [number, number] | undefined {
  return 'why' in estimate ? undefined : tInterval(estimate, tail);
}

const METHODS: Record<string, Method> = {
  'runs as independent pairs (wrong)': (tasks) => {
    const apart = tasks.flatMap((task) =>
      task.pairs.map((pair, index) => ({ ...task, repo: `${task.repo}-${index}`, pairs: [pair] })),
    );
    return byT(tasksEstimate(apart));
  },
  'percentile bootstrap over tasks (wrong)': (tasks, random) => {
    const differences = tasks.map(differenceOf);
    const means = Array.from({ length: 500 }, () => {
      let total = 0;
      for (let index = 0; index < differences.length; index++) {
        total += differences[random.below(differences.length)] ?? 0;
      }
      return total / differences.length;
    }).sort((a, b) => a - b);
    return [quantileOfSorted(means, 0.025), quantileOfSorted(means, 0.975)];
  },
  'tasks as units, normal quantile (wrong)': (tasks) => {
    const differences = tasks.map(differenceOf);
    const half = normalQuantile(0.975) * Math.sqrt(variance(differences) / differences.length);
    return [mean(differences) - half, mean(differences) + half];
  },
  '**tasks as units, t (the verdict)**': (tasks) => byT(tasksEstimate(tasks)),
};

function isBeyondZero(interval: [number, number] | undefined): boolean {
  return interval !== undefined && (interval[0] > 0 || interval[1] < 0);
}

/** Percent of the simulations in which `hit` is true. */
function rate(name: string, simulations: number, hit: (random: Random) => boolean): string {
  const random = randomFrom(seed, name);
  let hits = 0;
  for (let index = 0; index < simulations; index++) if (hit(random)) hits++;
  const share = hits / simulations;
  const error = 1.96 * Math.sqrt((share * (1 - share)) / simulations);
  return `${(100 * share).toFixed(1)} ± ${(100 * error).toFixed(1)} %`;
}

function row(name: string, simulations: number, hit: (random: Random) => boolean): void {
  console.log(`| ${name} | ${rate(name, simulations, hit)} |`);
}

function heading(title: string, column: string): void {
  console.log(`\n| ${title} | ${column} |\n|---|---|`);
}

const METRIC: MetricDeclaration = {
  name: 'x',
  label: 'x',
  kind: 'share',
  better: 'lower',
  role: 'primary',
  margin: 5,
  cumulative: false,
};

/** The whole way: observations in, verdict out. */
function verdictOf(tasks: PairedTask[], question: VerdictDesign['question']): string | undefined {
  const observations = tasks.flatMap((task) =>
    task.pairs.flatMap((pair) =>
      (['baseline', 'tested'] as const).map(
        (arm): Observation => ({
          name: arm,
          task: task.task,
          repo: task.repo,
          repetition: pair.repetition,
          arm,
          position: null,
          validity: 'valid',
          counts: true,
          censored: null,
          contaminationReturned: 0,
          adopted: null,
          values: { x: pair[arm].x },
          pooled: {},
        }),
      ),
    ),
  );
  const design = { tested: 'tested', baseline: 'baseline', question, metrics: [METRIC], seed, regimeDifferences: [] };
  return verdictsOf(observations, { ...design, scripted: false }).metrics[0]?.verdict;
}

function falseAlarms(): void {
  const world = { tasks: 7, runs: 4, effect: 0 };
  heading('false alarms at a nominal 5 %, 7 tasks × 4 runs', 'rate');
  for (const [name, method] of Object.entries(METHODS)) {
    row(name, many, (random) => isBeyondZero(method(campaign(world, random).tasks, random)));
  }
  row('exact sign-flip test', many, (random) => {
    return signFlipTest(campaign(world, random).tasks.map(differenceOf), seed).p <= 0.05;
  });
  row('`verdictsOf`, tasks like these: better or worse', few, (random) =>
    ['better', 'worse'].includes(verdictOf(campaign(world, random).tasks, 'tasks') ?? ''),
  );
  const same = { ...world, between: 0 };
  row('`verdictsOf`, this corpus (no task differs): better or worse', few, (random) =>
    ['better', 'worse'].includes(verdictOf(campaign(same, random).tasks, 'corpus') ?? ''),
  );
  row('`verdictsOf`, tasks like these, a true 5 points: equivalent within ±5', few, (random) => {
    const edge = { tasks: 20, runs: 4, effect: 0.05, between: 0.05, noise: 0.1 };
    return verdictOf(campaign(edge, random).tasks, 'tasks') === 'equivalent';
  });
}

function power(): void {
  heading('power for a true −20 %', 'rate');
  for (const [tasks, runs] of [
    [7, 4],
    [7, 10],
    [20, 3],
  ] as const) {
    const world = { tasks, runs, effect: Math.log(0.8) };
    row(`${tasks} tasks × ${runs} runs`, many, (random) =>
      isBeyondZero(byT(tasksEstimate(campaign(world, random).tasks))),
    );
  }
}

/** Tasks of repos that have an effect of their own (0.25), with 0.21 between the tasks of one repo. */
function repoCampaign(sizes: number[], random: Random): PairedTask[] {
  return sizes.flatMap((size, repo) => {
    const own = 0.25 * random.normal();
    const { tasks } = campaign({ tasks: size, runs: 1, effect: own, between: 0.21, noise: 0 }, random);
    return tasks.map((task) => ({ ...task, task: `r${repo}-${task.task}`, repo: `r${repo}` }));
  });
}

function repos(): void {
  heading('false alarms with a true effect of the repo, tasks like these, tasks a repo', 'rate');
  for (const sizes of [
    [12, 2, 2, 2, 1, 1],
    [4, 1, 1, 1, 1, 1],
    [2, 2, 2, 2, 2, 2],
  ]) {
    row(`${sizes.join(', ')}: equal repos assumed, G − 1 df (wrong)`, many, (random) => {
      const tasks = repoCampaign(sizes, random);
      const effect = mean(tasks.map(differenceOf));
      const sums = sizes.map((_, repo) =>
        tasks
          .filter((task) => task.repo === `r${repo}`)
          .reduce((total, task) => total + differenceOf(task) - effect, 0),
      );
      const squares = sums.reduce((total, one) => total + one * one, 0);
      const standardError = Math.sqrt((sizes.length / (sizes.length - 1)) * squares) / tasks.length;
      return isBeyondZero(byT({ effect, standardError, df: sizes.length - 1 }));
    });
    row(`${sizes.join(', ')}: CR2 with Satterthwaite’s df (the verdict)`, many, (random) =>
      isBeyondZero(byT(tasksEstimate(repoCampaign(sizes, random)))),
    );
  }
}

/** The whole verdict at the effect that the plan says it sees four times out of five. */
function stated(): void {
  heading('power at the effect that `plan` states for 80 %, by `verdictsOf`', 'rate');
  for (const [question, tasks, runs] of [
    ['corpus', 1, 4],
    ['corpus', 3, 2],
    ['corpus', 7, 2],
    ['tasks', 6, 2],
    ['tasks', 7, 4],
    ['tasks', 12, 2],
  ] as const) {
    const effect = detectableEffect(DEFAULT_SIGMA, evenShape(question, { tasks, runs }));
    const words = question === 'tasks' ? 'tasks like these' : 'this corpus';
    row(`${words}, ${tasks} × ${runs}: ${(-100 * Math.expm1(-effect)).toFixed(0)} %`, few, (random) => {
      const world = { tasks, runs, effect: -effect, between: question === 'tasks' ? 0.25 : 0 };
      return verdictOf(campaign(world, random).tasks, question) === 'better';
    });
  }
}

/** Shares near 100 %: each task's own share lies 0.15 of the distance to 100 % around the mean. */
function nearOne(): void {
  heading('false alarms of a pooled share near 100 %, tasks like these', 'rate');
  for (const tasks of [7, 20]) {
    const sums = (random: Random): ClusterSums[] =>
      Array.from({ length: tasks }, () => {
        const share = Math.min(1, 0.97 + 0.03 * 0.15 * random.normal());
        return { baseline: callsOfTask(share, random), tested: callsOfTask(share, random) };
      });
    const alarm = (clusters: ClusterSums[]) =>
      isBeyondZero(bootstrapT(clusters, shareDifference, { seed, name: 'near', resamples: 1_000 })?.interval(0.025));
    row(`97 %, ${tasks} tasks × 4 runs: bootstrap-t alone (1,000 resamples)`, few, (random) => alarm(sums(random)));
    row(`97 %, ${tasks} tasks × 4 runs: and the exact test (the verdict)`, few, (random) => {
      const clusters = sums(random);
      if (!alarm(clusters)) return false;
      const swapped = (flags: boolean[]) =>
        clusters.map((one, index) => (flags[index] ? { baseline: one.tested, tested: one.baseline } : one));
      const statistic = (flags: boolean[]) => shareDifference(swapped(flags))?.value ?? 0;
      return !contradicts(swapTest(clusters.length, statistic, seed), 0.05);
    });
  }
}

/** Calls of a task's four runs, 1 to 5 a run, and how many of them were sufficient. */
function callsOfTask(share: number, random: Random): { part: number; whole: number } {
  const whole = Array.from({ length: 4 }, () => 1 + random.below(5)).reduce((total, one) => total + one, 0);
  let part = 0;
  for (let call = 0; call < whole; call++) if (random.unit() < share) part++;
  return { part, whole };
}

/** Calls of both arms, with a share of its own for each task. */
function pooledCampaign(tasks: number, random: Random): ClusterSums[] {
  return Array.from({ length: tasks }, () => {
    const share = 0.6 + 0.15 * random.normal();
    return { baseline: callsOfTask(share, random), tested: callsOfTask(share, random) };
  });
}

/** Costs and stated facts (of 5 a run) of four runs a task in both arms, between which nothing differs. */
function factCampaign(count: number, random: Random): PairedTask[] {
  return Array.from({ length: count }, (_, index): PairedTask => {
    const level = 0.5 * random.normal();
    const share = Math.min(0.95, Math.max(0.1, 0.6 + 0.15 * random.normal()));
    const run = () => {
      let whole = 0;
      for (let fact = 0; fact < 5; fact++) if (random.unit() < share) whole++;
      return { run: '', x: Number.NaN, y: Number.NaN, part: Math.exp(level + 0.3 * random.normal()), whole };
    };
    const pairs = [1, 2, 3, 4].map((repetition) => ({ repetition, baseline: run(), tested: run(), order: null }));
    return { task: `q${index}`, repo: `q${index}`, pairs };
  });
}

function coverage(): void {
  const contains = (interval: [number, number] | undefined, value: number) =>
    interval !== undefined && interval[0] <= value && value <= interval[1];
  heading('coverage of a 95 % interval', 'rate');
  const world = { tasks: 7, runs: 4, effect: Math.log(0.8) };
  row('tasks like these, t, 7 × 4: the true effect', many, (random) =>
    contains(byT(tasksEstimate(campaign(world, random).tasks)), world.effect),
  );
  row('this corpus, t, 7 × 4: these tasks’ own mean effect', many, (random) => {
    const { tasks, truth } = campaign(world, random);
    return contains(byT(corpusEstimate(tasks)), mean(truth));
  });
  row('this corpus, t, one task × 5 runs', many, (random) => {
    const { tasks, truth } = campaign({ ...world, tasks: 1, runs: 5 }, random);
    return contains(byT(corpusEstimate(tasks)), mean(truth));
  });
  for (const tasks of [7, 20]) {
    row(`pooled share, bootstrap-t, ${tasks} tasks × 4 runs (1,000 resamples)`, few, (random) => {
      const options = { seed: random.below(2 ** 31 - 1), name: 'pooled', resamples: 1_000 };
      return contains(bootstrapT(pooledCampaign(tasks, random), shareDifference, options)?.interval(0.025), 0);
    });
  }
  for (const tasks of [7, 20]) {
    row(`cost per fact, this corpus, t, ${tasks} × 4, no effect`, many, (random) =>
      contains(byT(corpusPooledEstimate(factCampaign(tasks, random), 'totals')), 0),
    );
    row(`cost per fact, tasks like these, bootstrap-t, ${tasks} × 4, no effect (1,000 resamples)`, few, (random) => {
      const options = { seed: random.below(2 ** 31 - 1), name: 'totals', resamples: 1_000 };
      const statistic = pooledStatistic({ kind: 'totals' });
      return contains(bootstrapT(clusterSums(factCampaign(tasks, random)), statistic, options)?.interval(0.025), 0);
    });
  }
  row('ratio of sums, bootstrap-t, 20 × 4, no effect, tasks of like size (1,000 resamples)', few, (random) => {
    const { tasks } = campaign({ tasks: 20, runs: 4, effect: 0 }, random);
    const options = { seed: random.below(2 ** 31 - 1), name: 'ratio', resamples: 1_000 };
    const level = (task: PairedTask) => mean(task.pairs.map((pair) => pair.baseline.x));
    const alike = tasks.map((task) => {
      const down = (side: PairedTask['pairs'][number]['baseline']) => ({
        ...side,
        y: Math.exp(side.x - 0.7 * level(task)),
      });
      const pairs = task.pairs.map((pair) => ({ ...pair, baseline: down(pair.baseline), tested: down(pair.tested) }));
      return { ...task, pairs };
    });
    return contains(bootstrapT(clusterTotals(alike), lnRatioOfSums, options)?.interval(0.025), 0);
  });
}

/** Five nights, each with four more runs of seven tasks, looked at every morning. */
function looking(): void {
  heading('an alarm in any of five looks, nothing there', 'rate');
  const anyAlarm = (random: Random, tailOf: (look: number) => number | undefined) => {
    const { tasks } = campaign({ tasks: 7, runs: 20, effect: 0, between: 0 }, random);
    return [1, 2, 3, 4, 5].some((look) => {
      const seen = tasks.map((task) => ({ ...task, pairs: task.pairs.slice(0, 4 * look) }));
      return isBeyondZero(byT(corpusEstimate(seen), tailOf(look)));
    });
  };
  row('each at 5 % (wrong)', many, (random) => anyAlarm(random, () => 0.025));
  for (const rule of ['pocock', 'obrien-fleming'] as const) {
    row(`${rule}, five looks declared`, many, (random) =>
      anyAlarm(random, (look) => tailAt({ planned: 5, look, rule })),
    );
  }
  heading('an alarm in any of five nightly runs against the last that was not worse, nothing there', 'rate');
  for (const rule of ['pocock', 'bonferroni'] as const) {
    const note = rule === 'pocock' ? ' (wrong: made for growing data)' : '';
    row(`${rule}, five declared${note}`, many, (random) => {
      const night = () => Array.from({ length: 28 }, () => 0.3 * random.normal());
      let before = night();
      return [1, 2, 3, 4, 5].some((look) => {
        const now = night();
        const tasks = Array.from({ length: 7 }, (_, index): PairedTask => {
          const side = (x: number) => ({ run: '', x, y: x, part: x, whole: 1 });
          const pairs = [0, 1, 2, 3].map((run) => ({
            ...{ repetition: run + 1, order: null },
            baseline: side(before[4 * index + run] ?? 0),
            tested: side(now[4 * index + run] ?? 0),
          }));
          return { task: `q${index}`, repo: `q${index}`, pairs };
        });
        const interval = byT(corpusEstimate(tasks), tailAt({ planned: 5, look, rule }));
        if (interval === undefined || interval[0] <= 0) before = now;
        return isBeyondZero(interval);
      });
    });
  }
}

const startedAt = performance.now();
console.log(
  `seed ${seed}, ${many} simulations (${few} where one is dear), ${new Date().toISOString().slice(0, 10)}, node ${process.version}`,
);
falseAlarms();
repos();
power();
stated();
coverage();
nearOne();
looking();
console.log(`\n${Math.round((performance.now() - startedAt) / 1000)} s`);
