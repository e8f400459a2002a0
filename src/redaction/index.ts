export { isSecretVariable } from './passwords.js';
export { createRedactor, type Redactor } from './redactor.js';
export { redactedWords } from './words.js';
