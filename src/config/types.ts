/** A target repository: exactly one of git (with a commit), folder or npm, and what to leave out of it. */
export type RepoInput =
  | { git: string; commit: string; exclude?: string[] }
  | { folder: string; exclude?: string[] }
  | { npm: string; exclude?: string[] };

/** One session to hold on one repo: its prompts in order. */
export interface TaskInput {
  repo: string;
  prompts: string[];
}
