/**
 * Environment in which git finds no repository and reads no configuration of the system or the user. A repository that an agent
 * made in its workspace can name programs (`core.fsmonitor`, filter drivers, hooks); with these variables git runs none of them.
 */
export const NO_GIT: Readonly<Record<string, string>> = {
  GIT_DIR: '/nonexistent/git',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
};
