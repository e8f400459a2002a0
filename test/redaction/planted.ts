// Made at run time from parts, so that no scanner of this repository takes them for leaked ones. All are invented.

/** Characters of an alphabet in a fixed, irregular order. */
export function chars(n: number, alphabet = 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zAbCcDfFhGkJlLnMoPqRsTwVyXeZ'): string {
  return Array.from({ length: n }, (_, index) => alphabet[(index * 7 + (index >> 3) * 3) % alphabet.length]).join('');
}

const hex = (n: number) => chars(n, '3f9a1c7e5b0d2846');
const base64 = (n: number) => chars(n, 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA+/cDfF');
const words = (...parts: string[]) => parts.join('');

const pemBody = [
  'MI',
  ...Array.from({ length: 12 }, (_, index) => `${base64(64).slice(index)}${base64(index)}\n`),
].join('');
// Its base64 must end as that of `}` alone does.
const onePassword = [0, 1, 2]
  .map((n) => Buffer.from(JSON.stringify({ email: 'a@b.example', salt: chars(90 + n) })).toString('base64'))
  .find((text) => text.endsWith('fQ=='));

/** One of each kind: the text that it stands in, with the secret itself. `rule`: the rule of the library that knows it. */
export interface Planted {
  name: string;
  secret: string;
  text: string;
  rule?: string;
}

function inText(name: string, secret: string, text: (secret: string) => string, rule?: string): Planted {
  return { name, secret, text: text(secret), ...(rule === undefined ? {} : { rule }) };
}

const plain = (secret: string) => `before ${secret} after`;

export const PLANTED: Planted[] = [
  inText('AWS secret', base64(40), (s) => words('AWS_SECRET', '_ACCESS_KEY=', s, '\n'), 'aws'),
  inText('AWS secret in JSON', base64(40), (s) => words('{\\"aws_secret', '_access_key\\": \\"', s, '\\"}')),
  inText('AWS key id', words('AK', 'IA', chars(16, 'A3BC7DEF2GHJ5KLM')), plain),
  inText('npm token', words('npm', '_', chars(36)), plain, 'npm'),
  inText('npmrc', chars(30), (s) => words('//registry.example/:_auth', 'Token=', s, '\n')),
  inText('Slack token', words('xo', 'xb-', '123456789012-', chars(24)), plain, 'slack'),
  inText('Slack webhook', words('T', chars(8), '/B', chars(8), '/', chars(24)), (s) =>
    words('https://hooks.', 'slack.com/services/', s),
  ),
  inText('basic auth', words('alice:', chars(14)), (s) => `https://${s}@git.example.com/repo.git`, 'basicauth'),
  inText('x-oauth-basic', chars(40), (s) => words('https://', s, ':x-oauth', '-basic@github.com/org/repo')),
  inText(
    'database',
    words('app:', chars(12), '#1'),
    (s) => `postgres://${s}@db.example.com:5432/app`,
    'database-connection-string',
  ),
  inText('OpenAI key', words('sk', '-proj-', chars(74), 'T3Blbk', 'FJ', chars(74)), plain, 'openai'),
  inText('Anthropic key', words('sk', '-ant-', 'api03-', chars(93), 'AA'), plain, 'anthropic'),
  inText('Anthropic OAuth token', words('sk', '-ant-', 'oat01-', chars(60)), (s) => `CLAUDE_CODE_OAUTH_TOKEN=${s}`),
  inText('Anthropic key, cut', words('sk', '-ant-', 'api03-', chars(20)), (s) => `see ${s}`),
  inText('Groq key', words('gs', 'k_', chars(52)), plain, 'groq'),
  inText('Hugging Face token', words('h', 'f_', chars(34, 'aBdEgHjKmNpQrStUvWxYzAbCcDfF')), plain, 'huggingface'),
  inText('Linear key', words('lin', '_api_', chars(40)), plain, 'linear'),
  inText('Notion token', words('nt', 'n_', '12345678901', chars(35)), plain, 'notion'),
  inText(
    'private key',
    pemBody,
    (s) => words('-----BEGIN RSA PRIV', 'ATE KEY-----\n', s, '-----END RSA PRIV', 'ATE KEY-----\n'),
    'privatekey',
  ),
  inText('SendGrid key', words('S', 'G.', chars(22), '.', chars(43)), plain, 'sendgrid'),
  inText('Shopify token', words('shp', 'at_', hex(32)), plain, 'shopify'),
  inText('GitHub token', words('gh', 'p_', chars(36)), plain, 'github'),
  inText('GitHub fine-grained token', words('github', '_pat_', chars(82)), plain, 'github'),
  inText('GitLab token', words('gl', 'pat-', chars(20)), plain, 'gitlab'),
  inText('Grafana token', words('gl', 'sa_', chars(32), '_', hex(8)), plain, 'grafana'),
  inText('Grafana Cloud token', words('gl', 'c_', base64(60)), plain, 'grafana'),
  inText('1Password token', words('op', 's_', onePassword ?? ''), plain, '1password'),
  inText('Vault token', words('hv', 's.', chars(95)), plain, 'hashicorp-vault'),
  inText('Vercel token', words('vc', 'p_', chars(24)), plain, 'vercel'),
  inText('Databricks token', words('da', 'pi', hex(32)), plain, 'databricks'),
  inText('Docker token', words('dckr', '_pat_', chars(27)), plain, 'docker'),
  inText('Figma token', words('fig', 'd_', chars(44)), plain, 'figma'),
  inText('Google key', words('AI', 'za', chars(35)), plain),
  inText('Stripe key', words('sk', '_live_', chars(24)), plain),
  inText('JSON web token', words('ey', 'J', chars(20), '.ey', 'J', chars(30), '.', chars(40)), plain),
  inText('bearer', chars(40), (s) => `curl -H "Authorization: Bearer ${s}" https://api.example.com`),
  inText('basic header', base64(24), (s) => `authorization: Basic ${s}`),
  inText('x-api-key', chars(32), (s) => `-H 'x-api-key: ${s}'`),
  inText('assignment in a shell', chars(32), (s) => `export MY_SERVICE_API_KEY=${s}\n`),
  inText('assignment in YAML', hex(32), (s) => `  token: ${s}\n`),
  inText('assignment in code', chars(20), (s) => `const clientSecret = '${s}';`),
  inText('assignment in escaped JSON', chars(24), (s) => `{\\"password\\": \\"${s}\\"}`),
  inText('disabled by a comment', words('gh', 'o_', chars(36)), (s) => words('// secretlint', '-disable\n', s)),
  inText('home path', 'carol', (s) => `/home/${s}/code/app.js:12`),
  inText('home path of macOS', 'carol.m', (s) => `at file:///Users/${s}/app.js`),
  inText('home path of Windows', 'carol', (s) => `C:\\Users\\${s}\\code`),
  inText('home path of Windows, escaped', 'carol', (s) => `"C:\\\\Users\\\\${s}\\\\code"`),
  inText('home path of WSL', 'carol', (s) => `/mnt/c/Users/${s}/code`),
  inText("home path as a project's folder", 'carol', (s) => `~/.claude/projects/-home-${s}-code/x.jsonl`),
];

/** What only looks like one: each must stay as it is. */
export const LOOK_ALIKES: string[] = [
  'commit 3df7c8749a649fe48f18103d7fc1ffc19e048171',
  '7bb45ac9-133b-4993-8646-55588877a5da',
  '"artefactHash": "38942e71a2aacc061146cd2e9af7940a1f9af9d3cd664459f4941e14d0d00677"',
  'sha256:38942e71a2aacc061146cd2e9af7940a1f9af9d3cd664459f4941e14d0d00677',
  '"integrity": "sha512-Ks8GcKZlKAHnPf7Nd3u0bVYdSfDl1SkdXVGl0nJb7K9w3mzVv0xKqA2v9Z7kDbYcNw=="',
  'msg_fbca7b1e0e6a2fb82e1be841 toolu_ad4048be8b8d5c5281a3e704 req_011CVx3d5fG7hJ9kL2mN4pQ6',
  '{"token": "toolu_ad4048be8b8d5c5281a3e704"}',
  '{"input_tokens":45133,"output_tokens":46,"cache_read_input_tokens":1234567890123456}',
  '"apiKeySource":"ANTHROPIC_API_KEY"',
  words('ANTHROPIC_API_KEY=$OTHER_KEY CLAUDE_CODE_OAUTH_TOKEN=$', '{TOKEN}'),
  'const token = getTokenFromRequestHeader(req);',
  'password: process.env.DATABASE_PASSWORD_PRODUCTION2,',
  'const accessToken = await oauth2Client2.getAccessToken();',
  'accessTokenLifetime = config.tokens.accessTokenLifetime1',
  "secret: 'keyboard cat of many words'",
  'token: 2026-11-30T12:13:46.020Z',
  'tokenFile: /var/run/secrets/kubernetes.io/serviceaccount2/token',
  'Authorization: Bearer <token>',
  words('Authorization: Bearer $', '{TOKEN}'),
  'Bearer authentication-is-what-we-use',
  'the sk-learn package, task-scheduler-implementation, npm_config_registry_of_the_organisation',
  words('https://user:password@example.com and mongodb://$', '{user}:$', '{password}@localhost'),
  'http://localhost:3000/@scope/package git@github.com:org/repo.git',
  'postgres://localhost:5432/app',
  "app.get('/home/index.html'); views/home/profile.js; https://example.com/home/products",
  '/home/user/project $HOME/x ~/x /home/$USER /home/<user>/',
  '/tmp/ae-1bOKMl/ae-lWciXM/w/.codegraph/daemon.sock',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  words('-----BEGIN PRIV', 'ATE KEY----- is how such a file begins'),
  'lib/response.js:134 res.send = function send(body) {',
];
