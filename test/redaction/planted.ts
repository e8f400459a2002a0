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

/** A secret, and the text that it stands in. */
export interface Planted {
  name: string;
  secret: string;
  text: string;
}

function inText(name: string, secret: string, text: (secret: string) => string): Planted {
  return { name, secret, text: text(secret) };
}

const plain = (secret: string) => `before ${secret} after`;

const FIRST: Planted[] = [
  inText('AWS secret', base64(40), (s) => words('AWS_SECRET', '_ACCESS_KEY=', s, '\n')),
  inText('AWS secret in JSON', base64(40), (s) => words('{\\"aws_secret', '_access_key\\": \\"', s, '\\"}')),
  inText('AWS key id', words('AK', 'IA', chars(16, 'A3BC7DEF2GHJ5KLM')), plain),
  inText('npm token', words('npm', '_', chars(36)), plain),
  inText('npmrc', chars(30), (s) => words('//registry.example/:_auth', 'Token=', s, '\n')),
  inText('Slack token', words('xo', 'xb-', '123456789012-', chars(24)), plain),
  inText('Slack webhook', words('T', chars(8), '/B', chars(8), '/', chars(24)), (s) =>
    words('https://hooks.', 'slack.com/services/', s),
  ),
  inText('basic auth', words('alice:', chars(14)), (s) => `https://${s}@git.example.com/repo.git`),
  inText('x-oauth-basic', chars(40), (s) => words('https://', s, ':x-oauth', '-basic@github.com/org/repo')),
  inText('database', words('app:', chars(12), '#1'), (s) => `postgres://${s}@db.example.com:5432/app`),
  inText('OpenAI key', words('sk', '-proj-', chars(74), 'T3Blbk', 'FJ', chars(74)), plain),
  inText('Anthropic key', words('sk', '-ant-', 'api03-', chars(93), 'AA'), plain),
  inText('Anthropic OAuth token', words('sk', '-ant-', 'oat01-', chars(60)), (s) => `CLAUDE_CODE_OAUTH_TOKEN=${s}`),
  inText('Anthropic key, cut', words('sk', '-ant-', 'api03-', chars(20)), (s) => `see ${s}`),
  inText('Groq key', words('gs', 'k_', chars(52)), plain),
  inText('Hugging Face token', words('h', 'f_', chars(34, 'aBdEgHjKmNpQrStUvWxYzAbCcDfF')), plain),
  inText('Linear key', words('lin', '_api_', chars(40)), plain),
  inText('Notion token', words('nt', 'n_', '12345678901', chars(35)), plain),
  inText('private key', pemBody, (s) =>
    words('-----BEGIN RSA PRIV', 'ATE KEY-----\n', s, '-----END RSA PRIV', 'ATE KEY-----\n'),
  ),
  inText('SendGrid key', words('S', 'G.', chars(22), '.', chars(43)), plain),
  inText('Shopify token', words('shp', 'at_', hex(32)), plain),
  inText('GitHub token', words('gh', 'p_', chars(36)), plain),
  inText('GitHub fine-grained token', words('github', '_pat_', chars(82)), plain),
  inText('GitLab token', words('gl', 'pat-', chars(20)), plain),
  inText('Grafana token', words('gl', 'sa_', chars(32), '_', hex(8)), plain),
  inText('Grafana Cloud token', words('gl', 'c_', base64(60)), plain),
  inText('1Password token', words('op', 's_', onePassword ?? ''), plain),
  inText('Vault token', words('hv', 's.', chars(95)), plain),
  inText('Vercel token', words('vc', 'p_', chars(24)), plain),
  inText('Databricks token', words('da', 'pi', hex(32)), plain),
  inText('Docker token', words('dckr', '_pat_', chars(27)), plain),
  inText('Figma token', words('fig', 'd_', chars(44)), plain),
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

/** Secrets of people and machines: each kind of token, file and command line that a session may print. */
const MORE: Planted[] = [
  // Tokens by service.
  inText('PyPI token', words('py', 'pi-AgEIcHlwaS5vcmc', chars(90)), plain),
  inText('DigitalOcean token', words('do', 'p_v1_', hex(64)), plain),
  inText('xAI key', words('xa', 'i-', chars(80)), plain),
  inText('OpenRouter key', words('sk', '-or-v1-', hex(64)), plain),
  inText('webhook secret', words('wh', 'sec_', chars(32)), plain),
  inText('Azure storage key', words(base64(86), '=='), (s) =>
    words('DefaultEndpointsProtocol=https;AccountName=acme;Account', `Key=${s};EndpointSuffix=core.windows.net`),
  ),
  inText('Azure service bus key', words(base64(43), '='), (s) =>
    words('SharedAccessKeyName=Root;SharedAccess', `Key=${s}`),
  ),
  inText(
    'signed URL of Azure',
    base64(43).replaceAll('/', 'z').replaceAll('+', 'z'),
    (s) => `https://acme.blob.core.windows.net/c/f?sv=2024-01-01&sp=r&sig=${s}%3D`,
  ),
  inText('signed URL of AWS', hex(64), (s) => `https://b.s3.amazonaws.com/f?X-Amz-Expires=300&X-Amz-Signature=${s}`),
  inText('Replicate token', words('r', '8_', chars(37)), plain),
  inText('Perplexity key', words('ppl', 'x-', chars(48)), plain),
  inText('NVIDIA key', words('nvap', 'i-', chars(64)), plain),
  inText('LangSmith key', words('lsv2', '_pt_', hex(32), '_', hex(10)), plain),
  inText('GitLab deploy token', words('gl', 'dt-', chars(20)), plain),
  inText('GitLab runner token', words('gl', 'rt-', chars(20)), plain),
  inText('Atlassian token', words('ATA', 'TT3xFfGF0', chars(120)), plain),
  inText('RubyGems token', words('ruby', 'gems_', hex(48)), plain),
  inText('crates.io token', words('ci', 'o', chars(32)), plain),
  inText('Netlify token', words('nf', 'p_', chars(36)), plain),
  inText('Supabase key', words('sb', 'p_', hex(40)), plain),
  inText('PlanetScale password', words('psc', 'ale_pw_', chars(43)), plain),
  inText('Terraform Cloud token', words(chars(14), '.atl', 'asv1.', chars(67)), plain),
  inText('Pulumi token', words('pu', 'l-', hex(40)), plain),
  inText('Doppler token', words('dp', '.pt.', chars(43)), plain),
  inText('age key', words('AGE-SEC', 'RET-KEY-1', chars(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')), plain),
  inText('Slack app token', words('xa', 'pp-1-A012-', '123456789012-', hex(64)), plain),
  inText('Discord webhook', words('123456789012345678/', chars(68)), (s) => `https://discord.com/api/webhooks/${s}`),
  inText('Discord token', words('MT', chars(24), '.G', chars(5), '.', chars(38)), plain),
  inText('Telegram token', words('123456789', ':AA', chars(33)), plain),
  inText('Airtable token', words('pa', 't', chars(14), '.', hex(64)), plain),
  inText('Postman key', words('PM', 'AK-', hex(24), '-', hex(34)), plain),
  inText('Sentry token', words('snt', 'rys_', base64(80).replaceAll('+', 'p')), plain),
  inText('New Relic key', words('NR', 'AK-', chars(27, 'A3BC7DEF2GHJ5KLM')), plain),
  inText('PostHog key', words('ph', 'x_', chars(43)), plain),
  inText('CircleCI token', words('CCI', 'PAT_', chars(22), '_', hex(40)), plain),
  inText('SonarQube token', words('sq', 'u_', hex(40)), plain),
  inText('Tailscale key', words('tsk', 'ey-auth-', chars(12), '-', chars(32)), plain),
  inText('Square token', words('sq', '0atp-', chars(22)), plain),
  inText('Resend key', words('r', 'e_', chars(8), '_', chars(24)), plain),
  inText('Mailgun key', words('ke', 'y-', hex(32)), plain),
  inText('Mailchimp key', words(hex(32), '-u', 's21'), plain),
  inText('Twilio key', words('S', 'K', hex(32)), plain),
  inText('Google OAuth secret', words('GOC', 'SPX-', chars(28)), plain),
  inText('Google OAuth token', words('ya', '29.', chars(60)), plain),
  inText('Facebook token', words('EA', 'AB', chars(100)), plain),
  inText('token in place of a user', chars(40), (s) => `git clone https://${s}@git.example.org/org/repo`),
  // Passwords that people chose, after names that mark them.
  inText('short password of an .env file', 'Tr0ub4dor', (s) => words('DB_PASS', `WORD=${s}\n`)),
  inText('password of letters alone', 'letmeinnow', (s) => words('POSTGRES_PASS', `WORD=${s}\n`)),
  inText('password of digits alone', '83619427', (s) => words('REDIS_PASS', `WORD=${s} redis-server`)),
  inText('password with signs', 'p@ss!w0rd', (s) => words('MYSQL_ROOT_PASS', `WORD=${s}\n`)),
  inText('password in YAML', 'hunter2x', (s) => words('  pass', `word: ${s}\n`)),
  inText('password in JSON', 'hunter2x', (s) => words('{"user":"x","pass', `word":"${s}"}`)),
  inText('password in escaped JSON', 'Sommer2026!', (s) => words('{\\"pass', `word\\":\\"${s}\\"}`)),
  inText('password in properties', 's3cr3tpw', (s) => words('spring.datasource.pass', `word=${s}\n`)),
  inText('password in a connection string', 'Str0ngPw', (s) =>
    words('Server=db;User Id=sa;Pass', `word=${s};Encrypt=true`),
  ),
  inText('passphrase', 'open-sesame-99', (s) => words('SSH_PASS', `PHRASE=${s}\n`)),
  inText('secret in code', 'k3ybo4rd', (s) => words('app.use(session({ sec', `ret: '${s}' }))`)),
  inText('short token', 'a1B2c3D4e5', (s) => words('DEPLOY_TO', `KEN=${s}\n`)),
  inText('PGPASSWORD', 'pgs3cret', (s) => words('PGPASS', `WORD=${s} psql -h db`)),
  inText('option of a program', 'Winter2026', (s) => words('tool login --pass', `word=${s} --quiet`)),
  inText('option of a program and a space', 'Winter2026', (s) => words('tool login --pass', `word ${s} --quiet`)),
  inText('sshpass', 'Winter26!', (s) => `sshpass -p '${s}' ssh db`),
  inText('mysql -p', 'Winter26', (s) => `mysql -h db -u app -p${s} shop`),
  inText('docker login', 'Winter2026', (s) => `docker login -u ci -p ${s} registry.example.org`),
  inText('redis-cli', 'Winter2026', (s) => `redis-cli -h cache -a ${s} ping`),
  inText('openssl', 'Winter2026', (s) => `openssl rsa -in k.pem -passin pass:${s}`),
  inText('curl -u', 'alice:w1nter', (s) => `curl -sS -u ${s} https://api.example.org/v1`),
  inText('curl --user', 'alice:w1nter!x', (s) => `curl --user '${s}' https://api.example.org/v1`),
  inText('curl -su over lines', 'alice:w1nter', (s) => `curl -X POST \\\n  -su "${s}" \\\n  https://api.example.org`),
  inText('chpasswd', 'Winter2026', (s) => `echo "alice:${s}" | sudo chpasswd`),
  // Files of logins.
  inText(
    'docker login of config.json',
    base64Of('alice:', 'w1nter-pass'),
    (s) => `{"auths":{"registry.example.org":{"auth":"${s}"}}}`,
  ),
  inText(
    'docker login, escaped',
    base64Of('alice:', 'w1nter-pass'),
    (s) => `{\\"auths\\":{\\"r.example.org\\":{\\n \\"auth\\": \\"${s}\\"}}}`,
  ),
  inText('identity token of docker', chars(60), (s) => `"identitytoken": "${s}"`),
  inText('npm _auth', base64Of('alice:', 'w1nter-pass'), (s) => `//registry.example.org/:_auth=${s}\n`),
  inText('npm _password', base64Of('', 'w1nter-pass-2'), (s) => `//registry.example.org/:_password=${s}\n`),
  inText(
    '.dockerconfigjson',
    base64Of('{"auths":{"r.example.org":{"auth":"', 'QWxpY2U6dzFudGVy"}}}'),
    (s) => `  .dockerconfigjson: ${s}\n`,
  ),
  inText('netrc', 'w1nterpw', (s) => `machine api.example.org login deploy password ${s}\n`),
  inText('netrc over lines', 'w1nterpw', (s) => `machine api.example.org\n  login deploy\n  password ${s}\n`),
  inText('user of netrc', 'alice.l', (s) => `machine api.example.org login ${s} password w1nterpw`),
  inText('kubeconfig', base64(400), (s) => `    client-certificate-data: x\n    client-key-data: ${s}\n`),
  inText('token of kubeconfig', chars(40), (s) => `  user:\n    token: ${s}\n`),
  inText('Kubernetes secret', base64Of('', 'w1nter-pass-2'), (s) => `data:\n  pass${''}word: ${s}\n`),
  inText('pgpass', 'w1nter26', (s) => `db.example.org:5432:shop:app:${s}\n`),
  inText('shadow', words('$6', '$', chars(16), '$', chars(86)), (s) => `root:${s}:19700:0:99999:7:::\n`),
  inText('shadow, yescrypt', words('$y', '$j9T$', chars(22), '$', chars(43)), (s) => `alice:${s}:19700:0:99999:7:::\n`),
  inText(
    'user of shadow',
    'alicel',
    (s) => `x\n${s}:${words('$6', '$', chars(16), '$', chars(86))}:19700:0:99999:7:::\n`,
  ),
  inText('htpasswd', words('$apr', '1$', chars(8), '$', chars(22)), (s) => `alice:${s}\n`),
  inText('bcrypt', words('$2', 'b$12$', chars(53)), plain),
  inText('LDAP hash', words(base64(38), '='), (s) => `userPassword: {SSHA}${s}`),
  // Cookies.
  inText('cookie header', chars(32), (s) => `Cookie: theme=dark; sessionid=${s}; lang=en`),
  inText('set-cookie header', chars(32), (s) => `< Set-Cookie: sid=${s}; Path=/; Max-Age=31536000; HttpOnly`),
  inText('cookie of curl', chars(24), (s) => `curl -b "sid=${s}" https://example.org`),
  inText('cookie jar', chars(32), (s) => `#HttpOnly_.example.org\tTRUE\t/\tTRUE\t1893456000\tsid\t${s}\n`),
  // Private keys that are folded, or lack their header.
  inText('private key in one line', words('MI', 'IEpAIBAAKCAQEA', base64(300)), (s) =>
    words('key: "-----BEGIN RSA PRIV', 'ATE KEY----- ', s, ' -----END RSA PRIV', 'ATE KEY-----"'),
  ),
  inText('private key folded to short lines', fold(words('MI', 'IEvQIBADANBgkqhkiG', base64(300)), 12, '\n'), (s) =>
    words('-----BEGIN PRIV', 'ATE KEY-----\n', s, '\n-----END PRIV', 'ATE KEY-----'),
  ),
  inText('private key folded as text of JSON', fold(words('MI', 'IEvQIBADANBgkqhkiG', base64(300)), 64, '\\n'), (s) =>
    words('"private_key": "-----BEGIN PRIV', 'ATE KEY-----\\n', s, '\\n-----END PRIV', 'ATE KEY-----\\n"'),
  ),
  inText('private key without a header', words('MI', 'IEvQIBADANBgkqhkiG9w0BAQEFAASC', base64(300)), plain),
  inText(
    'private key without a header, in lines',
    fold(words('MI', 'IEpAIBAAKCAQEA', base64(600)), 64, '\n'),
    (s) => `key:\n${s}\n`,
  ),
  inText('elliptic key without a header', words('MH', 'cCAQEEI', base64(120)), plain),
  inText('OpenSSH key without a header', words('b3Blbn', 'NzaC1rZXktdjEAAAAA', base64(300)), plain),
  inText('end of a key', fold(base64(200), 64, '\n'), (s) => words(s, '\n-----END RSA PRIV', 'ATE KEY-----')),
  inText('PuTTY key', fold(base64(200), 64, '\n'), (s) => words('Private', '-Lines: 4\n', s, '\nPrivate-MAC: x')),
  inText(
    'private part of a JWK',
    base64(43).replaceAll('+', '-').replaceAll('/', '_'),
    (s) => `{"kty":"EC","x":"abc","d":"${s}"}`,
  ),
  // People.
  inText('USER=', 'adalove', (s) => `SHELL=/bin/bash\nUSER=${s}\nLANG=C`),
  inText('LOGNAME=', 'adalove', (s) => `LOGNAME=${s}\n`),
  inText('GIT_AUTHOR_NAME=', 'Adalove', (s) => `GIT_AUTHOR_NAME="${s} K"`),
  inText('id', 'adalove', (s) => `uid=1000(${s}) gid=1000(staff) groups=1000(staff),27(sudo)`),
  inText('groups of id', 'adalove', (s) => `uid=0(root) gid=0(root) groups=0(root),1000(${s})`),
  inText('ls -l', 'adalove', (s) => `total 4\n-rw-r--r--  1 ${s} staff  1234 Nov 30 10:00 app.js`),
  inText('group of ls -l', 'adalove', (s) => `drwxr-xr-x@ 12 root ${s}  4.0K Nov 30 10:00 lib`),
  inText('tar -tv', 'adalove', (s) => `-rw-r--r-- ${s}/staff 1234 2026-11-30 10:00 app.js`),
  inText('stat', 'adalove', (s) => `Access: (0644/-rw-r--r--)  Uid: ( 1000/ ${s})   Gid: ( 1000/   staff)`),
  inText('ps aux', 'adalove', (s) => `USER PID\n${s}   4711  0.0  0.1  9000  1000 ?  S  10:00 0:00 node`),
  inText('who', 'adalove', (s) => `$ who\n${s}  pts/0   2026-11-30 10:00 (10.0.0.1)`),
  inText('account of passwd', 'adalove', (s) => `root:x:0:0:root:/root:/bin/sh\n${s}:x:1000:1000:,,,:/home/x:/bin/sh`),
  inText(
    'person of passwd',
    'Lovelace',
    (s) => `root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000:Ada ${s},,,:/home/x:/bin/sh`,
  ),
  inText('author of a commit', 'Lovelace', (s) => `Author: Ada ${s} <ada@acme.io>\nDate: now`),
  inText('e-mail address', 'ada.lovelace', (s) => `write to ${s}@acme.io, please`),
  inText('domain of an e-mail address', 'acmecorp', (s) => `"author": "A <a@${s}.co.uk>"`),
  inText('prompt of a shell', 'adalove', (s) => `${s}@laptop:~/code$ ls`),
  inText('prompt of sudo', 'adalove', (s) => `[sudo] password for ${s}:`),
  inText('host name of uname', 'ada-laptop', (s) => `Linux ${s} 6.1.0-13-amd64 #1 SMP`),
  inText('HOSTNAME=', 'ada-laptop', (s) => `HOSTNAME=${s}\n`),
  // Home folders elsewhere.
  inText('/var/home', 'carol', (s) => `/var/home/${s}/code`),
  inText('/export/home', 'carol', (s) => `/export/home/${s}/code`),
  inText('/usr/home', 'carol', (s) => `/usr/home/${s}/code`),
  inText('/System/Volumes/Data', 'carol', (s) => `/System/Volumes/Data/Users/${s}/code`),
  inText('small letters of Windows', 'carol', (s) => `c:\\users\\${s}\\code`),
  inText('profile of Windows with a space', 'Lovelace', (s) => `C:\\Users\\Ada ${s}\\code`),
  inText('old profile of Windows', 'carol', (s) => `C:\\Documents and Settings\\${s}\\Desktop`),
  inText('profile on a server', 'carol', (s) => `\\\\fileserver\\Users\\${s}\\code`),
  inText('profile in an environment', 'carol', (s) => `USERPROFILE=C:\\Users\\${s}`),
  inText('profile of Cygwin', 'carol', (s) => `/cygdrive/c/Users/${s}/code`),
  inText('mounted volume', 'carol', (s) => `/run/media/${s}/disk/code`),
];

/** The base64 of a text that is handed over in two parts. */
function base64Of(...parts: string[]): string {
  return Buffer.from(parts.join('')).toString('base64');
}

function fold(text: string, width: number, end: string): string {
  return (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(end);
}

export const PLANTED: Planted[] = [...FIRST, ...MORE];

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
  // Ordinary code, hashes, base64 and identifiers beside names that mark secrets.
  'const password = req.body.password;',
  'password: string; token?: string; secret: undefined',
  'function login(user: string, password: string): Promise<Token> {',
  'if (password === confirmPassword) return hashPassword(password, salt);',
  'password = getpass.getpass("Password: ")',
  'this.password = password;\n    this.token = token1;',
  '<input type="password" name="password" autocomplete="current-password">',
  'passwordField.value = password2.trim()',
  'let tokens = Tokenizer::new(input); let token = tokens.next()?;',
  'token = self.lexer.next_token(); secret := os.Getenv("SECRET")',
  words(
    'PASS',
    'WORD=$DB_PASSWORD PASS',
    'WORD=$',
    '{DB_PASSWORD:-} PASS',
    'WORD={{ password }} --password <password> --password-stdin',
  ),
  words('MAX_TOKENS=32000 TOKEN_LIMIT=4096 SECRET_', 'NAME=none PASS', 'WORD='),
  'const passwordSchema = z.object({ password: z.string().min(8) });',
  'docs: pass the --token option; --password is required, --secret takes a file',
  'res.cookie("name", "tobi", { path: "/" }); .expect("Set-Cookie", "name=tobi; Path=/")',
  'Set-Cookie: name=value; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=31536000',
  'auth: "required", auth: basicAuth, "auth": "AbCdEfGhIjKlMnOp"',
  words('git@', 'github.com:org/repo.git noreply', '@anthropic.com ada', '@example.com x@', 'localhost'),
  'lodash@4.17.21 @types/node@20.1.0 actions/checkout@v4 react@latest foo@workspace:~ c = a@b.T + w@x.to(device)',
  'icon@2x.png getty@tty1.service @Component({selector: "app"}) @app.route("/x")',
  '-rw-r--r-- 1 root root 1234 Nov 30 10:00 app.js',
  'uid=0(root) gid=0(root) groups=0(root),27(sudo)',
  'root:x:0:0:root:/root:/bin/bash\nnode:x:1000:1000::/home/node:/bin/bash',
  'USER=root LOGNAME=root USERNAME=$USER DB_USER=postgres',
  'Linux 6.1.0 is out; curl -u "$USER:$PASS" https://example.org; curl http://localhost:3000',
  'curl -sS https://example.org/a:b -o out; docker run -p 8080:80 x; mkdir -p src; git push -u origin main',
  'src/a.ts:5432:const x: number = 1; lib/b.ts:12:34:56: error TS1005',
  '/var/www/home/index.html C:\\Windows\\System32 /media/logo.png C:\\Users\\Public\\x',
  words('import { LoginForm } from "@/login"; login password reset; the login page and the password'),
  'price: $1$2 $5 and $6, `$y` and `$2a`; echo $1 $2',
  `H4sIAAAAAAAAA${'zMEAS8aT8wBAAAA'.repeat(20)}`,
  Buffer.from('export function add(a, b) {\n  return a + b; // plain code, in base64\n}\n').toString('base64'),
  `//# sourceMappingURL=data:application/json;base64,${Buffer.from('{"version":3,"sources":["a.ts"],"mappings":"AAAA"}').toString('base64')}`,
  '0x7ffee4c0a9d8 550e8400-e29b-41d4-a716-446655440000 da39a3ee5e6b4b0d3255bfef95601890afd80709 d41d8cd98f00b204e9800998ecf8427e',
  'resolved "https://registry.yarnpkg.com/a/-/a-1.0.0.tgz#da39a3ee5e6b4b0d3255bfef95601890afd80709"',
  'h1:Zb0J3dVQYbzZ1mzkGpT8Dq3yXhV0lWc8yG2sKxqYw0A= go.sum h1:a/go.mod',
  'pub struct pypi_index; re_export_all_the_things_2; hf_hub_download_1; key-value-store-2; cio-layout',
];
