import { jsonText, renderSelftest, writeOut } from '../../report/index.js';
import { EXIT } from '../exit-codes.js';
import { runSelftest } from '../selftest/index.js';

/** `selftest`: every rule of the metrics against its known answer; 1 when one is missed. */
export async function selftest(flags: { json?: boolean }): Promise<number> {
  const verdicts = await runSelftest();
  writeOut(flags.json ? jsonText(verdicts) : renderSelftest(verdicts));
  return verdicts.every(({ ok }) => ok) ? EXIT.done : EXIT.verdictNo;
}
