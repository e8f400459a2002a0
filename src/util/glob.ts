/**
 * Returns the pattern of a glob: `*` within a folder, `**` across folders, `?` one character. It is matched against the whole path or
 * its end from a `/` on.
 */
export function globToPattern(glob: string): RegExp {
  const source = glob
    .replace(/^\.\//, '')
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?';
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      return part === '?' ? '[^/]' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
    })
    .join('');
  return new RegExp(`(?:^|/)${source}$`);
}
