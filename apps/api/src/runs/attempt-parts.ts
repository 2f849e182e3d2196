import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { JsonlSessionStore } from '@wrongstack/adapters';
import { type Config, type SessionLog, systemClock } from '@wrongstack/contracts';
import { loadConfig } from '@wrongstack/kernel';
import type { Principal } from '../auth/principal.js';
import type { RunSpec } from './run-record.js';

/** Where one run keeps what it keeps, below the server's own folder. */
export interface RunFolders {
  /** Its requester's alone: what an agent remembers of one person is no other's business. */
  readonly data: string;
  readonly sessions: JsonlSessionStore;
  readonly subagentSessions: JsonlSessionStore;
}

export async function runFolders(agentHome: string, by: Principal): Promise<RunFolders> {
  const person = createHash('sha256')
    .update(JSON.stringify([by.org, by.user]))
    .digest('hex')
    .slice(0, 32);
  const data = path.join(agentHome, 'runs', 'people', person);
  await mkdir(data, { recursive: true, mode: 0o700 });
  const sessions = path.join(agentHome, 'sessions');
  return {
    data,
    sessions: new JsonlSessionStore(sessions, { clock: systemClock }),
    subagentSessions: new JsonlSessionStore(path.join(sessions, 'subagents'), { clock: systemClock }),
  };
}

/** The server's own configuration, the model that was asked for, and what the workspace's own file tightens. */
export async function runConfig(agentHome: string, workspace: string, { model }: RunSpec): Promise<Config> {
  const { config } = await loadConfig({
    userFile: path.join(agentHome, 'config.json'),
    projectFile: path.join(workspace, '.wrongstack', 'config.json'),
    overrides: model === null ? {} : { provider: { model } },
  });
  return config;
}

/** The session's private folder. */
export async function scratchOf(agentHome: string, { id }: Pick<SessionLog, 'id'>): Promise<string> {
  const folder = path.join(agentHome, 'scratch', id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
