/**
 * Whether two names mean one model. Names differ by who serves it: `us.anthropic.claude-sonnet-5-v1:0`, `claude-sonnet-5@20260101`,
 * `claude-sonnet-5-20260101`, `claude-sonnet-5[1m]`.
 */
export function isSameModel(one: string, other: string): boolean {
  return one === other || plainModel(one) === plainModel(other);
}

function plainModel(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*[./](?=claude)/, '')
    .replace(/\[[^\]]*\]$/, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/[-@](?:20\d{6}|latest)$/, '');
}
