export { type GradedRun, summarizeAnswers } from './answers.js';
export { averageDirections, compareArms } from './compare.js';
export { distributionOf } from './distribution.js';
export { isAboutLogs, logSetWarnings } from './log-sets.js';
export { aggregateRepos, type RepoRuns, runDetails } from './over-repos.js';
export { summarizeArm } from './summary.js';
