/** A secret that the library's rules found, as it stands in the text. */
export interface Found {
  kind: string;
  secret: string;
}

/**
 * What a text must hold so that a rule of the library can match: a superset of its patterns in one pass, an order of magnitude
 * faster than they are. test/redaction/library.test.ts holds a planted secret for each of the library's rules, so that one which
 * a newer release adds cannot be missed in silence.
 */
const TRIGGER = new RegExp(
  [
    'PRIVATE KEY',
    '(?:SECRET|secret|Secret)_?(?:ACCESS|access|Access)_?(?:KEY|key|Key)',
    'x-oauth-basic@github',
    '_authToken=',
    'npm_\\w{36}',
    'xox[bpaor]-|xapp-',
    '[hH][oO]{2}[kK][sS]\\.[sS][lL][aA][cC][kK]',
    ':\\/\\/[^\\/\\s]{1,300}@',
    'sk-(?:proj|svcacct|admin|ant)-|T3BlbkFJ',
    'gsk_\\w{52}|hf_[A-Za-z]{34}|lin_api_|ntn_\\d{11}|SG\\.\\w',
    'shp(?:pa|ca|at|ss)_|gh[pousr]_\\w{36}|github_pat_|glpat-|glc_|glsa_|ops_ey',
    'hv[sbr]\\.|vc[piark]_\\w{20}|dapi[A-Fa-f0-9]{32}|dckr_pat_|figd_',
  ].join('|'),
);

/** Their own words in a transcript would switch the rules off: `secretlint-disable`. */
const COMMENTS = '@secretlint/secretlint-rule-filter-comments';
/** Our own rule for URLs takes more than these do, and leaves the host and the database. */
const BY_OUR_RULE = /rule-(?:basicauth|database-connection-string)$/;

/** No token holds one of these. */
const AFTER_SECRET = /[\s"'\\]/;
const KEY_LINE = /[A-Za-z0-9+/]{16,}={0,2}/g;
/** What is shorter is no secret, and may be an ordinary word elsewhere. */
const SHORTEST = 8;

/** Could a rule of the library match? Never false where one does. */
export function mayHoldSecret(text: string): boolean {
  return TRIGGER.test(text);
}

/**
 * The secrets in a text by the library's recommended rules. The library is loaded at the first text that may hold one: most
 * reports never need it.
 */
export async function findSecrets(text: string): Promise<Found[]> {
  if (!mayHoldSecret(text)) return [];
  const { lintSource } = await import('@secretlint/core');
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend');
  const { messages } = await lintSource({
    source: { filePath: 'text.txt', content: text, contentType: 'text', ext: '.txt' },
    options: {
      noPhysicFilePath: true,
      config: { rules: rules.flatMap((rule) => (rule.meta.id === COMMENTS ? [] : [{ id: rule.meta.id, rule }])) },
    },
  });
  return messages.flatMap(({ ruleId, range, data }) => {
    if (BY_OUR_RULE.test(ruleId)) return [];
    const kind = `${ruleId.replace(/^.*-rule-/, '')} secret`;
    const secret = secretOf(text, range, data);
    const parts = ruleId.endsWith('privatekey')
      ? (secret.match(KEY_LINE) ?? [])
      : secret.split(AFTER_SECRET).slice(0, 1);
    return parts.flatMap((part) => (part.length < SHORTEST ? [] : [{ kind, secret: part }]));
  });
}

/** Some rules report a range that begins with the name before the secret; what they say they found is the secret itself. */
function secretOf(text: string, [start, end]: readonly [number, number], data: unknown): string {
  const told: unknown[] = typeof data === 'object' && data !== null ? Object.values(data) : [];
  const isIt = (value: unknown) =>
    typeof value === 'string' && value.length === end - start && text.includes(value, start);
  const found = told.find(isIt);
  return typeof found === 'string' ? found : text.slice(start, end);
}
