import { fail, ok, type Result } from '../model/failure.js';

const FORMS = ['json', 'markdown', 'csv', 'junit', 'html', 'diff'] as const;

/** Refuses ('bad-input') two forms of one output: only one of them would be printed. */
export function checkOneForm(flags: Partial<Record<(typeof FORMS)[number], unknown>>): Result<void> {
  const asked = FORMS.filter((form) => flags[form] !== undefined && flags[form] !== false).map((form) => `--${form}`);
  if (asked.length < 2) return ok(undefined);
  return fail({
    reason: 'bad-input',
    message: `${asked.join(' and ')} are different forms of one output`,
    advice: 'ask for one at a time',
  });
}
