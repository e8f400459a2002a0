// A thread of `measureMany`: measures the runs that it is sent, one after the other. Stands outside of the rooms, as the
// library does, to take the engine's profile alone: loading all of the engine room takes longer than reading many logs.
import { parentPort } from 'node:worker_threads';
import { type ManyAnswer, type ManyRequest, measureOne } from './cli/measure-one.js';
import { codegraphProfile } from './engine/profile.js';

parentPort?.on('message', async ([index, request]: [number, ManyRequest]) => {
  const answer: ManyAnswer = { index, outcome: await measureOne(request, codegraphProfile) };
  parentPort?.postMessage(answer);
});
