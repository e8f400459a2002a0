// A thread of `measureMany`: measures the runs that it is sent, one after the other. Stands outside of the rooms, as the
// library does, to take the engine's registry alone: loading all of the engine room takes longer than reading many logs.
import { parentPort, workerData } from 'node:worker_threads';
import { type ManyAnswer, measureOne, type NumberedRequest } from './analysis/measure-one.js';
import { engineFor } from './engine/registry.js';
import type { EngineChoice } from './model/engine.js';

const engine = engineFor(workerData as EngineChoice | undefined);

parentPort?.on('message', async (batch: NumberedRequest[]) => {
  const answers: ManyAnswer[] = [];
  for (const [index, request] of batch) answers.push({ index, outcome: await measureOne(request, engine) });
  parentPort?.postMessage(answers);
});
