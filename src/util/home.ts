import { userInfo } from 'node:os';

/**
 * HOME of the user as the system's user database has it, for programs that were started without HOME or with an empty one. For a user who
 * is not in the database it is /nonexistent, so that what needs a HOME fails by that name. It is never the current directory.
 */
export function homeOfUser(): string {
  try {
    const { homedir } = userInfo();
    if (homedir !== '') return homedir;
  } catch {
    // A user id without an entry, as in some containers.
  }
  return '/nonexistent';
}
