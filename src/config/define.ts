import type { HostName } from '../model/host-log.js';
import type { ServerInput } from '../model/server.js';
import type { CampaignInput, RepoInput, TaskInput, VerdictInput } from './types.js';

/** What a corpus.config.ts exports by default. Every field but `repos` and `tasks` has a default (docs/config.md). */
export interface UserConfig {
  engine?: {
    /** The MCP server under test: a registered name, or a description of your own (docs/servers.md); left out: codegraph. */
    profile?: 'codegraph' | ServerInput;
    /** The engine checkout, relative to the config file; left out: the current directory. */
    checkout?: string;
    /** Shell commands that build it, run in order in a private clone. */
    build?: string[];
    /** The CLI's script once built, relative to the checkout. */
    entry?: string;
    /** Folders in which a change makes two refs worth comparing. */
    sources?: string[];
    /** The node that runs source builds; left out: the node that runs agent-eval. */
    node?: string;
    /** The build of `with-without`, written as for `ab --baseline`. */
    withBuild?: string;
    /** Engine environment variables, equal in every arm. */
    environment?: Record<string, string>;
  };
  /** The agent host that runs the sessions (default: 'claude-code'). */
  host?: HostName;
  repos: Record<string, RepoInput>;
  tasks: Record<string, TaskInput>;
  campaigns?: Record<string, CampaignInput>;
  /** Metrics, margins, looks and gate, declared before the runs. */
  verdict?: VerdictInput;
  defaults?: {
    runs?: number;
    model?: string;
    effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
    maxBudgetUsd?: number;
    windowTokens?: number;
    /** The tasks that `ab` and `with-without` take when none is named. */
    tasks?: string[];
    segmentDeadlineMs?: number;
    segmentIdleMs?: number;
    daemonReadyMs?: number;
    indexDeadlineMs?: number;
    buildDeadlineMs?: number;
    /** How often a trial that failed for reasons outside the agent is run again. */
    retries?: number;
    /** Trials of one repo side by side. */
    jobsPerRepo?: number;
    /** CPU-bound phases side by side; left out: the machine's cores. */
    cpuJobs?: number;
    /** The pause at a limit whose reset time is unknown, and the longest pause that is waited out. */
    limitPauseMs?: number;
    longestPauseMs?: number;
  };
}

/** Gives a corpus.config.ts its types; returns the config as it is. Checked when it is loaded. */
export function defineConfig(config: UserConfig): UserConfig {
  return config;
}
