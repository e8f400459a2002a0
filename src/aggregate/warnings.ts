import type { Advice, ArmSummary } from '../model/summary.js';

/** What is wrong with the data of these arms, each with what to do about it. The gravest first. */
export function warningsOf(arms: ArmSummary[]): Advice[] {
  return [
    ...arms.flatMap(withoutRuns),
    ...arms.flatMap(contaminated),
    ...arms.flatMap(keptOnRequest),
    ...validityDiffers(arms),
    ...runsDiffer(arms),
    ...oneRun(arms),
    ...arms.flatMap(adoption),
    ...singlePrompt(arms),
    ...windows(arms),
    ...arms.flatMap(quality),
    ...alone(arms),
  ];
}

function withoutRuns(arm: ArmSummary): Advice[] {
  if (arm.runs.kept.length > 0) return [];
  const message =
    arm.runs.total === 0 ? `${arm.label}: no runs found` : `${arm.label}: none of its ${arm.runs.total} runs counts`;
  const advice =
    arm.runs.total === 0 ? 'check the label and the folder' : 'see what was dropped, mend the cause, run the arm again';
  return [{ code: 'no-runs', message, advice }];
}

function contaminated(arm: ArmSummary): Advice[] {
  const { runsReturned } = arm.contamination;
  if (runsReturned === 0) return [];
  return [
    {
      code: 'contaminated',
      message: `${arm.label}: ${arm.toolLabel} was reached around its MCP server, with output, in ${runsReturned} of ${plural(arm.runs.total, 'run')}`,
      advice: 'read the commands in the per-run blocks; such runs are void, so find the way they took and close it',
    },
  ];
}

function keptOnRequest(arm: ArmSummary): Advice[] {
  if (arm.runs.keptOnRequest.length === 0) return [];
  const names = arm.runs.keptOnRequest.map((run) => `${run.name} (${run.cause})`).join(', ');
  return [
    {
      code: 'kept-on-request',
      message: `${arm.label}: runs that do not count are in these figures because it was asked for: ${names}`,
      advice: 'leave out --include-raced and --include-contaminated before quoting a figure',
    },
  ];
}

function validityDiffers(arms: ArmSummary[]): Advice[] {
  const dropped = arms.map((arm) => arm.runs.dropped.length / Math.max(1, arm.runs.total));
  if (new Set(dropped).size < 2) return [];
  const each = arms.map((arm) => `${arm.runs.dropped.length} of ${arm.runs.total} in ${arm.label}`).join(', ');
  return [
    {
      code: 'validity-differs',
      message: `runs were dropped unevenly: ${each}; what is left may be the easier part of one arm`,
      advice: 'run the missing ones again before comparing',
    },
  ];
}

function runsDiffer(arms: ArmSummary[]): Advice[] {
  if (new Set(arms.map((arm) => arm.runs.kept.length)).size < 2) return [];
  const each = arms.map((arm) => `${arm.label} ${arm.runs.kept.length}`).join(', ');
  return [
    {
      code: 'runs-differ',
      message: `the arms have different numbers of runs: ${each}`,
      advice: 'a range grows with the number of runs: compare equal numbers',
    },
  ];
}

function oneRun(arms: ArmSummary[]): Advice[] {
  const single = arms.filter((arm) => arm.runs.kept.length === 1).map((arm) => arm.label);
  if (single.length === 0) return [];
  const total = arms.some((arm) => arm.runs.total > 1) ? 'one run left' : 'RUNS=1';
  return [{ code: 'one-run', message: `${total} in ${single.join(', ')}: no range`, advice: 'use --runs 4' }];
}

function adoption(arm: ArmSummary): Advice[] {
  if (arm.adoption === null || arm.adoption.called === arm.adoption.of) return [];
  return [
    {
      code: 'adoption',
      message: `${arm.label}: only ${arm.adoption.called} of ${plural(arm.adoption.of, 'run')} called ${arm.toolLabel}; its medians mix runs with and without it`,
      advice: 'compare as assigned, and read the adoption row before crediting or blaming the tool',
    },
  ];
}

function singlePrompt(arms: ArmSummary[]): Advice[] {
  const kept = arms.reduce((total, arm) => total + arm.runs.kept.length, 0);
  const single = arms.reduce((total, arm) => total + arm.runs.singlePrompt, 0);
  if (kept === 0 || single === 0) return [];
  return [
    {
      code: 'single-prompt',
      message: `${single === kept ? 'all' : `${single} of ${kept}`} sessions have a single prompt: nothing is charged for what they leave in the window`,
      advice: 'ask follow-ups in the same session: "question||follow-up||follow-up"',
    },
  ];
}

function windows(arms: ArmSummary[]): Advice[] {
  const sizes = new Set(arms.flatMap((arm) => arm.quality.windowTokens));
  if (sizes.size < 2) return [];
  return [
    {
      code: 'windows-differ',
      message: `shares of the window were taken of different windows: ${[...sizes].join(', ')} tokens`,
      advice: 'measure all runs with the same --window-tokens',
    },
  ];
}

function quality(arm: ArmSummary): Advice[] {
  const found: Advice[] = [];
  if (arm.quality.uncalibrated.length > 0) {
    found.push({
      code: 'uncalibrated',
      message: `${arm.label}: characters per token could not be measured in ${arm.quality.uncalibrated.join(', ')}; 3.0 was assumed`,
      advice: 'take their residual tokens as a rough size only',
    });
  }
  if (arm.quality.modelFallbacks.length > 0) {
    found.push({
      code: 'model-fallback',
      message: `${arm.label}: another model answered part of ${arm.quality.modelFallbacks.join(', ')}`,
      advice: 'run them again: figures of two models do not compare',
    });
  }
  if (arm.quality.neverAnswered.length > 0) {
    found.push({
      code: 'never-answered',
      message: `${arm.label}: the tool was called and never answered in ${arm.quality.neverAnswered.join(', ')}`,
      advice: 'these runs say nothing about its answers: look at its build and its index',
    });
  }
  if (arm.quality.unknownTools.length > 0) {
    found.push({
      code: 'unknown-tools',
      message: `${arm.label}: no metric knows what these tools do: ${arm.quality.unknownTools.join(', ')}`,
      advice: 'the version of claude may be newer than this program: sufficiency and file access may be off',
    });
  }
  return found;
}

function alone(arms: ArmSummary[]): Advice[] {
  if (arms.length !== 1) return [];
  return [
    {
      code: 'no-comparison',
      message: 'there is only one arm: nothing is compared',
      advice: 'run the other arm, or name its label',
    },
  ];
}

function plural(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
