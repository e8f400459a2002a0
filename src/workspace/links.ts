import { lstat, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { listTree, locateEntry } from '../util/tree.js';

/** The system's own limit for a chain of links. */
const MAX_LINKS = 40;

/**
 * Makes the links of a copied tree lead nowhere but into the copy. An absolute link into the original folder becomes a relative link. Any
 * other link that leads out of the tree is removed; otherwise an agent could change the original or other files of the machine through it.
 * A link whose own name is no UTF-8 is removed too. Returns the removed links, each as `path -> target`.
 */
export async function containLinks(tree: string, original?: string): Promise<string[]> {
  const removed: string[] = [];
  const all = (await listTree(tree)).filter(({ kind }) => kind === 'link');
  const links = all.filter(({ path, pathBytes }) => pathBytes.equals(Buffer.from(path)));
  for (const { path } of links) {
    const target = await readlink(join(tree, path));
    const inside = original === undefined ? undefined : await pathBelow(original, target);
    if (inside === undefined) continue;
    await rm(join(tree, path));
    await symlink(relative(dirname(join(tree, path)), join(tree, inside)) || '.', join(tree, path));
  }
  // All of them are rewritten first: one link may lead through another.
  for (const { path } of links) {
    if (!(await leadsOut(tree, path))) continue;
    removed.push(`${path} -> ${await readlink(join(tree, path))}`);
  }
  for (const line of removed) await rm(join(tree, line.slice(0, line.indexOf(' -> '))));
  for (const link of all.filter((one) => !links.includes(one))) {
    removed.push(`${link.path} -> ${await readlink(locateEntry(tree, link))}`);
    await rm(locateEntry(tree, link));
  }
  return removed;
}

/** An absolute path relative to a folder, which is given by its real path; undefined where the path leads elsewhere. */
async function pathBelow(folder: string, path: string): Promise<string | undefined> {
  if (!isAbsolute(path)) return undefined;
  const plain = resolve(path);
  const real = await realpath(plain).catch(() => undefined);
  const found = [plain, real].find((one) => one === folder || one?.startsWith(folder + sep));
  return found === undefined ? undefined : relative(folder, found);
}

/** Follows a link step by step, through every link on its way; what does not exist is taken as a plain name. */
async function leadsOut(tree: string, path: string): Promise<boolean> {
  const at: string[] = [];
  const ahead = path.split('/');
  let followed = 0;
  for (let part = ahead.shift(); part !== undefined; part = ahead.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.pop() === undefined) return true;
      continue;
    }
    const here = join(tree, ...at, part);
    const found = await lstat(here).catch(() => undefined);
    if (!found?.isSymbolicLink()) {
      at.push(part);
      continue;
    }
    const target = await readlink(here);
    followed += 1;
    // A circle leads nowhere at all.
    if (followed > MAX_LINKS) return false;
    if (isAbsolute(target)) return true;
    ahead.unshift(...target.split('/'));
  }
  return false;
}
