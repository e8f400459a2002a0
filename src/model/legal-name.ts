import { z } from 'zod';

/** Longest name of a repo, task, campaign or arm. It leaves room for the rest of a file name, which may have 255 bytes. */
export const MAX_NAME_CHARS = 100;

/** `constructor` and the like: every JavaScript object has these, so that a table keyed by names would seem to hold them. */
const isBuiltIn = (name: string) => name in Object.prototype;
const BUILT_IN = 'is a property that every JavaScript object has; choose another name';

/** Schema of the name of a repo, a task or a campaign, which becomes the name of a folder. */
export const legalName = limited(
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'use letters, digits, ".", "_" and "-": it becomes a folder name'),
);

/** Schema of an arm's label, which becomes part of a file name. */
export const legalLabel = limited(
  z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'use letters, digits, "_" and "-": it becomes part of a file name'),
);

function limited(schema: z.ZodString) {
  return schema
    .max(MAX_NAME_CHARS, {
      error: ({ input }) => `has ${String(input).length} characters; ${MAX_NAME_CHARS} are allowed`,
    })
    .refine((name) => !isBuiltIn(name), BUILT_IN);
}

/** Turns any text, such as a folder's own name, into a legal name. */
export function toLegalName(text: string, fallback: string): string {
  const legal = text
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, MAX_NAME_CHARS);
  return legalName.safeParse(legal).success ? legal : fallback;
}
