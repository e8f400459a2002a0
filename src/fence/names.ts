/** Places inside the full fence. None of them tells what lies outside. */
export const PROGRAMS = '/run/cc';
export const RELAY = '/run/relay';

/** Variable that names, inside the full fence, the process that keeps the network of the agent's shells open. */
export const NETWORK = 'FENCE_NET';

/** Folder of the fence in the trial's folder, and what it holds. */
export const FENCE_FOLDER = 'f';
export const RELAY_FOLDER = 'relay';

/** Folders of the trial that its session writes: HOME, temporary files, and what stand-ins note. */
export const SESSION_FOLDERS = ['home', 'tmp', 'o'];

/** Secrets that `claude` needs and no command of the agent does. */
export const SECRET_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_BEARER_TOKEN_BEDROCK',
];

/** Variables that name files which `claude` reads and which may lie anywhere. */
export const FILE_VARIABLES = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_CONFIG_FILE',
];
