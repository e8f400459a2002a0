/** Signs of a command for Windows: a drive, a path with backslashes, PowerShell's call operator and commands. */
const SIGNS = [
  /(?:^|[\s"'=(&|;])(?:[A-Za-z]:|\.{1,2})\\+(?=[\w.@])/,
  /\bnode_modules\\/,
  /(?:^|[;|\n])\s*&\s+["'\w.$]/,
  /(?:^|[;|\n{(]\s*)(?:Get-Content|Invoke-Expression|iex|Start-Process)\s/i,
];

/**
 * A command for PowerShell or with Windows paths, written so that a POSIX shell would do the same as far as programs and files
 * go. Undefined for a command without any sign of Windows; `folders` are names that count as a path before a backslash.
 */
export function asPosix(command: string, folders: readonly string[]): string | undefined {
  const isPath = folders.some((folder) => folder !== '' && command.includes(`${folder}\\`));
  if (!isPath && !SIGNS.some((sign) => sign.test(command))) return undefined;
  return command
    .replace(/\\+/g, '/')
    .replace(/(^|[;|\n]\s*)&\s+(?=["'\w./$])/g, '$1')
    .replace(/(^|[;|\n{(]\s*)(?:Get-Content|gc)(?=\s)/gi, '$1cat')
    .replace(/(^|[;|\n{(]\s*)(?:Invoke-Expression|iex)(?=\s)/gi, '$1eval')
    .replace(/(^|[;|\n{(]\s*)Start-Process\s+(?:-FilePath\s+)?/gi, '$1');
}
