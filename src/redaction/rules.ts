import { PASSWORD_RULES } from './passwords.js';
import { PEOPLE_RULES } from './people.js';
import { PRIVATE_KEY_RULES } from './private-keys.js';
import { groupRules, type RuleGroup } from './rule.js';
import { TOKEN_RULES } from './tokens.js';

/** All rules but those for home folders, in the order in which they are applied: what says more about a find comes first. */
export const RULES: RuleGroup[] = [
  groupRules(PRIVATE_KEY_RULES),
  TOKEN_RULES,
  groupRules(PASSWORD_RULES),
  groupRules(PEOPLE_RULES),
];
