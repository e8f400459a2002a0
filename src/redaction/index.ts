export { createRedactor, type Redactor } from './redactor.js';
export { redactedWords } from './words.js';
