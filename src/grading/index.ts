export { checkTask } from './check-task.js';
export type { SourceFiles } from './citations.js';
export { gradeAnswers } from './grade-answers.js';
export { type CampaignGrades, gradeCampaign } from './grade-campaign.js';
export type { CommandsOutcome, GradingSource } from './grade-trial.js';
export type { CampaignJudge } from './judge-campaign.js';
export { type CommandsToRun, runCommands } from './run-commands.js';
export { openSourceFiles } from './source-files.js';
