/** What a first config of one repository and one task holds. */
export interface StarterAnswers {
  /** Name of the repository and of the task. */
  name: string;
  /** Folder of the repository, as it is to stand in the config. */
  folder: string;
  /** The prompts of one session, in order. */
  prompts: string[];
  /** The engine of with-without; undefined means the program on the PATH. */
  build: string | undefined;
  /** Paths in the repository that its copies must not hold. */
  exclude: string[];
}

/** Returns the text of a corpus.config.ts. */
export function starterConfig({ name, folder, prompts, build, exclude }: StarterAnswers): string {
  const quoted = (text: string) => JSON.stringify(text);
  const list = (texts: string[]) => `[${texts.map(quoted).join(', ')}]`;
  const excluded = exclude.length === 0 ? '' : `, exclude: ${list(exclude)}`;
  return `import { defineConfig } from 'agent-eval';

/** Experiments on ${name}. docs/config.md describes every field. */
export default defineConfig({${build === undefined ? '' : `\n  engine: { withBuild: ${quoted(build)} },\n`}
  repos: {
    ${quoted(name)}: { folder: ${quoted(folder)}${excluded} },
  },

  tasks: {
    // One session: the prompts are asked one after the other. More tasks make a verdict hold for more than this one.
    ${quoted(name)}: {
      repo: ${quoted(name)},
      prompts: [
${prompts.map((prompt) => `        ${quoted(prompt)},`).join('\n')}
      ],
    },
  },

  // One task takes four runs in each arm for a verdict.
  defaults: { tasks: [${quoted(name)}], runs: 4 },
});
`;
}
