// A thread of `measureMany`: measures the runs that it is sent, one after the other.
import { parentPort } from 'node:worker_threads';
import { type ManyAnswer, type ManyRequest, measureOne } from './measure-many.js';

parentPort?.on('message', async ([index, request]: [number, ManyRequest]) => {
  const answer: ManyAnswer = { index, outcome: await measureOne(request) };
  parentPort?.postMessage(answer);
});
