/**
 * The campaign under SIGKILL and other disasters, with the rehearsal model: what docs/reliability.md shows.
 * usage: npm run build && npx jiti bench/kill-test.ts [kills=40] [repetitions=6] [seed=1] [disaster …]   (root, to mount disks)
 */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { comparableReport, ENGINE, faultsOf, recordsOf, writeCorpus } from '../test/rig/campaign-folder.js';
import { type Kill, killOnce, MOMENTS, type Moment, nextCommand, seeded } from '../test/rig/kill.js';
import { makeSurroundings } from '../test/rig/run-cli.js';
import { disasters } from './disasters.js';

const [kills = 40, repetitions = 6, seed = 1] = process.argv.slice(2, 5).map(Number);
const user = makeSurroundings();
mkdirSync(join(user.root, 'tmp'));
user.env.TMPDIR = join(user.root, 'tmp');
writeCorpus(user, 60, { limitPauseMs: 2_000, segmentIdleMs: 12_000 });
const begin = (out: string) => ['with-without', '--rehearsal', '--runs', `${repetitions}`, '--jobs', '2', '--out', out];

/** Every moment in turn, so that each is aimed at equally often; a moment already hit three times makes way. */
function nextAim(done: Kill[], index: number): Moment {
  const hits = (moment: Moment) => done.filter(({ hit }) => hit.includes(moment)).length;
  const wanting = MOMENTS.filter((moment) => moment !== 'report' && hits(moment) < 3);
  const left = kills - index;
  // After the last trial there is nothing to kill but the report: those kills come last.
  if (left <= 3 - hits('report')) return 'report';
  const choice = wanting.length > 0 ? wanting : MOMENTS.filter((moment) => moment !== 'report');
  return choice[index % choice.length] ?? 'session';
}

async function killTest(): Promise<void> {
  const out = join(user.cwd, 'killed');
  const random = seeded(seed);
  const done: Kill[] = [];
  const startedAt = Date.now();
  for (let index = 0; index < kills; index++) {
    const aim = nextAim(done, index);
    const kill = await killOnce(user, [...nextCommand(out, [...begin(out), ...ENGINE])], out, aim, random);
    if (kill) done.push(kill);
    console.error(`${index + 1}/${kills} aimed at ${aim}: ${kill ? kill.hit.join(', ') : 'it ended first'}`);
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
    console.log(`| ${moment} | ${done.filter(({ hit }) => hit.includes(moment)).length} |`);
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
  if (faults.length > 0 || !isSame || last.exitCode !== 0) process.exitCode = 1;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

try {
  if (kills > 0) await killTest();
  console.log(`\n| disaster | what happened | after resume |\n|---|---|---|`);
  for (const { name, happened, after, isGood } of await disasters(user, process.argv.slice(5))) {
    console.log(`| ${name} | ${happened} | ${after} |`);
    if (!isGood) process.exitCode = 1;
  }
} finally {
  if (process.exitCode === 1 && existsSync(user.root)) console.error(`kept for a look: ${user.root}`);
  else user.remove();
}
