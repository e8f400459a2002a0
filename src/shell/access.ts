import type { ShellAccess } from '../model/shell.js';

export function shellAccess(_command: string): ShellAccess {
  return { kind: 'none' };
}
