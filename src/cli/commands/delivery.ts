import { measureDelivery } from '../../delivery/index.js';
import { openTemporaryRoot } from '../../experiment/index.js';
import { agentHost } from '../../host/index.js';
import { DELIVERY_KINDS } from '../../model/delivery.js';
import { fail, ok, type Result } from '../../model/failure.js';
import { jsonText, renderDelivery, writeOut } from '../../report/index.js';
import { Teardown } from '../../util/teardown.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { printFailure } from '../print-failure.js';

export interface DeliveryFlags {
  sizes: string;
  limit?: string[];
  json?: boolean;
}

/** `delivery`: what the agent host lets the model see of long answers of an MCP server. */
export async function delivery(flags: DeliveryFlags, { environment, signal }: Surroundings): Promise<number> {
  const sizes = readSizes('--sizes', flags.sizes.split(','));
  if (!sizes.ok) return printFailure(sizes.failure);
  const limits = readSizes('--limit', flags.limit ?? ['50k']);
  if (!limits.ok) return printFailure(limits.failure);
  const callerEnvironment = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const teardown = new Teardown();
  try {
    const host = agentHost();
    const program = await host.locate(environment.PATH ?? '', callerEnvironment);
    if (!program.ok) return printFailure(program.failure);
    const temporary = await openTemporaryRoot(teardown);
    if (!temporary.ok) return printFailure(temporary.failure);
    const measured = await measureDelivery({
      ...{ host, program: program.value, callerEnvironment, temporaryRoot: temporary.value, signal },
      ...{ kinds: DELIVERY_KINDS, sizes: sizes.value, limits: [null, ...limits.value] },
    });
    if (!measured.ok) return printFailure(measured.failure);
    writeOut(flags.json ? jsonText(measured.value) : renderDelivery(measured.value));
    return EXIT.done;
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}

const MAX_CHARS = 1_000_000;

/** Reads numbers such as `4000` or `16k`. */
function readSizes(flag: string, texts: string[]): Result<number[]> {
  const sizes: number[] = [];
  for (const text of texts) {
    const [, digits, thousands] = /^(\d+)(k?)$/i.exec(text.trim()) ?? [];
    const size = Number(digits) * (thousands ? 1_000 : 1);
    if (!(size >= 100 && size <= MAX_CHARS)) {
      const message = `${flag}: expected numbers from 100 to ${MAX_CHARS}, such as 4k, got "${text}"`;
      return fail({ reason: 'bad-input', message });
    }
    sizes.push(size);
  }
  return ok(sizes);
}
