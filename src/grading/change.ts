/** The files that a patch in git's form makes. */
export function addedFiles(patch: string): string[] {
  const files: string[] = [];
  for (const part of patch.split(/^(?=diff --git )/m)) {
    if (!/^new file mode \d+$/m.test(part)) continue;
    const named = /^\+\+\+ b\/(.+?)\t?$/m.exec(part)?.[1] ?? /^diff --git (?:a|b)\/(.+) b\/\1$/m.exec(part)?.[1];
    if (named !== undefined) files.push(named);
  }
  return files;
}
