/**
 * The campaign under SIGKILL and other disasters, with the rehearsal model: what docs/reliability.md shows.
 * Runs unattended and ends with PASS or FAIL (exit code 1); the defaults are 24 trials, at least three kills in every moment.
 * usage: npm run build && npx jiti bench/kill-test.ts [kills=40] [repetitions=6] [seed=1] [disaster …]   (root, to mount disks;
 * `none` in place of the disasters plays none)
 */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runCommand } from '../src/process/index.js';
import { comparableReport, ENGINE, faultsOf, recordsOf, writeCorpus } from '../test/rig/campaign-folder.js';
import { isOver, type Kill, killOnce, MOMENTS, type Moment, nextCommand, seeded } from '../test/rig/kill.js';
import { makeSurroundings } from '../test/rig/run-cli.js';
import { disasters } from './disasters.js';

const [kills = 40, repetitions = 6, seed = 1] = process.argv.slice(2, 5).map(Number);
/** A cache of its own: what a kill is aimed at is made anew in it. */
const user = makeSurroundings({ privateCache: true });
const privateCache = join(user.env.XDG_CACHE_HOME ?? '', 'agent-eval');
mkdirSync(join(user.root, 'tmp'));
user.env.TMPDIR = join(user.root, 'tmp');
// A busy machine is no stall.
writeCorpus(user, 60, { limitPauseMs: 2_000, segmentIdleMs: 120_000 });
const begin = (out: string) => ['with-without', '--rehearsal', '--runs', `${repetitions}`, '--jobs', '2', '--out', out];
/** Of each moment; a short run, to try the bench, cannot have so many. */
const WANTED = Math.min(3, Math.floor(kills / MOMENTS.length));
/** A kill may miss the moment that it was aimed at, and a start may end first: so many tries at most. */
const MOST_TRIES = Math.max(2 * kills, kills + 30);

/** The repository as a clone has it, so that fetching is more than copying. */
async function corpusFromGit(): Promise<void> {
  const dir = join(user.root, 'small');
  const git = async (...args: string[]) => {
    const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
    const done = await runCommand({ argv: ['git', '-C', dir, ...identity, ...args], deadlineMs: 60_000 });
    if (!done.ok) throw new Error(done.stderr);
    return done.stdout.trim();
  };
  await git('init', '--quiet');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'corpus');
  const source = `{ git: '${dir}', commit: '${await git('rev-parse', 'HEAD')}' }`;
  const config = join(user.cwd, 'corpus.config.ts');
  writeFileSync(config, readFileSync(config, 'utf8').replace("{ folder: '../small' }", source));
}

const hitsOf = (done: Kill[], moment: Moment) => done.filter(({ hit }) => hit.includes(moment)).length;

/** Every moment in turn; one that was hit often enough makes way. After the last trial there is nothing but the report. */
function nextAim(done: Kill[], index: number, isFinished: boolean): Moment {
  const trials = MOMENTS.filter((moment) => moment !== 'report');
  const wanting = trials.filter((moment) => hitsOf(done, moment) < WANTED);
  const left = kills - done.length;
  if (isFinished || (wanting.length === 0 && left <= WANTED - hitsOf(done, 'report'))) return 'report';
  const choice = wanting.length > 0 ? wanting : trials;
  return choice[index % choice.length] ?? 'session';
}

async function killTest(): Promise<void> {
  const out = join(user.cwd, 'killed');
  const random = seeded(seed);
  const done: Kill[] = [];
  const startedAt = Date.now();
  const isWanting = () => done.length < kills || MOMENTS.some((moment) => hitsOf(done, moment) < WANTED);
  for (let index = 0; index < MOST_TRIES && isWanting(); index++) {
    const aim = nextAim(done, index, isOver(out));
    const command = [...nextCommand(out, [...begin(out), ...ENGINE])];
    const kill = await killOnce(user, command, out, aim, random, privateCache);
    if (kill) done.push(kill);
    console.error(
      `${index + 1}: ${done.length}/${kills} aimed at ${aim}: ${kill ? kill.hit.join(', ') : 'it ended first'}`,
    );
  }
  const last = await user.run(nextCommand(out, [...begin(out), ...ENGINE]), { deadlineMs: 1_200_000 });
  const killedMs = Date.now() - startedAt;
  const dir = realpathSync(join(out, 'latest'));
  const calm = join(user.cwd, 'undisturbed');
  const whole = await user.run([...begin(calm), ...ENGINE], { deadlineMs: 1_200_000 });
  const faults = faultsOf(dir, user);
  const records = recordsOf(dir);
  console.log(`\n| moment | killed there |\n|---|---|`);
  for (const moment of MOMENTS) {
    console.log(`| ${moment} | ${hitsOf(done, moment)} |`);
  }
  const isSame = isDeepStrictEqual(comparableReport(dir), comparableReport(realpathSync(join(calm, 'latest'))));
  console.log(`\n| what | found |\n|---|---|`);
  console.log(`| kills | ${done.length}, seed ${seed} |`);
  console.log(
    `| trials planned, records, valid | ${4 * repetitions}, ${records.length}, ${records.filter((one) => one.validity === 'valid').length} |`,
  );
  console.log(`| attempts beyond the first | ${records.reduce((sum, { attempt }) => sum + attempt - 1, 0)} |`);
  console.log(`| exit code of the last start, of the undisturbed campaign | ${last.exitCode}, ${whole.exitCode} |`);
  console.log(`| faults (records, logs, locks, folders, processes) | ${faults.length} |`);
  console.log(`| report equals the undisturbed one | ${isSame ? 'yes' : 'NO'} |`);
  console.log(`| time with kills, undisturbed | ${seconds(killedMs)}, ${seconds(whole.durationMs)} |`);
  for (const fault of faults) console.log(`- ${fault}`);
  const rare = MOMENTS.filter((moment) => hitsOf(done, moment) < WANTED);
  const problems = [
    ...(done.length < kills ? [`only ${done.length} of ${kills} kills`] : []),
    ...(rare.length > 0 ? [`killed fewer than ${WANTED} times in ${rare.join(', ')}`] : []),
    ...(records.length === 4 * repetitions ? [] : [`${records.length} of ${4 * repetitions} records`]),
    ...(faults.length > 0 ? [`${faults.length} faults`] : []),
    ...(isSame ? [] : ['another report']),
    ...(last.exitCode === 0 && whole.exitCode === 0 ? [] : ['an exit code that is not 0']),
  ];
  console.log(`\n${problems.length === 0 ? 'PASS' : `FAIL: ${problems.join('; ')}`}`);
  if (problems.length > 0) process.exitCode = 1;
}

async function playDisasters(): Promise<void> {
  // One of the disasters is a silence.
  writeCorpus(user, 60, { limitPauseMs: 2_000, segmentIdleMs: 12_000 });
  console.log(`\n| disaster | what happened | after resume |\n|---|---|---|`);
  for (const { name, happened, after, isGood } of await disasters(user, process.argv.slice(5))) {
    console.log(`| ${name} | ${happened} | ${after} |`);
    if (!isGood) process.exitCode = 1;
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

try {
  if (kills > 0) {
    await corpusFromGit();
    await killTest();
  }
  if (process.argv[5] !== 'none') await playDisasters();
} finally {
  if (process.exitCode === 1 && existsSync(user.root)) console.error(`kept for a look: ${user.root}`);
  else user.remove();
}
