import { CommanderError } from 'commander';
import { readColorChoice, setColorChoice } from '../util/palette.js';
import { completeEnvironment } from './environment.js';
import { EXIT } from './exit-codes.js';
import { makeProgram } from './program.js';
import { findUnfitStart, printThrown } from './thrown.js';

/**
 * Runs the command line. The first Ctrl-C, SIGTERM or SIGHUP asks for a clean end: the running trial is stopped, what is finished is
 * kept; the second gives up waiting.
 */
async function main(): Promise<void> {
  const unfit = findUnfitStart();
  if (unfit !== undefined) {
    process.stderr.write(`${unfit}\n`);
    process.exitCode = EXIT.environmentUnfit;
    return;
  }
  process.on('uncaughtException', (error) => process.exit(printThrown(error)));
  const stop = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(EXIT.interrupted);
    process.stderr.write('\nstopping: ending the running trial, keeping what is finished (once more: at once)\n');
    stop.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);

  const argv = process.argv.slice(2);
  completeEnvironment(process.env, argv);
  setColorChoice(readColorChoice(argv));
  const surroundings = { environment: process.env, argv, signal: stop.signal, color: readColorChoice(argv) };
  const program = makeProgram(surroundings, (code) => {
    process.exitCode = code;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    // Help and version end this way too, with code 0.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.badInput;
    else process.exitCode = printThrown(error);
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
    process.off('SIGHUP', onSignal);
  }
}

await main();
