import { checkTemporaryPlace } from '../../experiment/index.js';
import { jsonText, renderSelftest, writeOut } from '../../report/index.js';
import { runSelftest } from '../../selftest/index.js';
import { EXIT } from '../exit-codes.js';
import { printFailure } from '../print-failure.js';

/** `selftest`: every rule of the metrics against its known answer; 1 when one is missed, 4 where TMPDIR is no folder. */
export async function selftest(flags: { json?: boolean }): Promise<number> {
  // Some rules write files; a missing folder must not look like a missed rule.
  const place = checkTemporaryPlace();
  if (!place.ok) return printFailure(place.failure);
  const verdicts = await runSelftest();
  writeOut(flags.json ? jsonText(verdicts) : renderSelftest(verdicts));
  return verdicts.every(({ ok }) => ok) ? EXIT.done : EXIT.verdictNo;
}
