import { noisy } from './noisy.js';

/** The same agent with ten calls more: what a night looks like after a change for the worse. */
export default noisy(10);
