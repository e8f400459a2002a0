// A thread of `measureMany`: measures the runs that it is sent, one after the other. Stands outside of the rooms, as the
// library does, to take the engine's profile alone: loading all of the engine room takes longer than reading many logs.
import { parentPort } from 'node:worker_threads';
import { type ManyAnswer, measureOne, type NumberedRequest } from './analysis/measure-one.js';
import { codegraphProfile } from './engine/profile.js';

parentPort?.on('message', async (batch: NumberedRequest[]) => {
  const answers: ManyAnswer[] = [];
  for (const [index, request] of batch) answers.push({ index, outcome: await measureOne(request, codegraphProfile) });
  parentPort?.postMessage(answers);
});
