import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { newId, silentLogger } from '@wrongstack/contracts';
import { type CallScope, processPathLocks, ReadRecords, RunContext } from '@wrongstack/kernel';
import type { ApiHost } from '../host/api-host.js';

/** Where calls happen that belong together: what they have read, and a scratch folder. The caller ends it. */
export interface CallContext {
  readonly context: RunContext;
  readonly scratchDir: string;
}

/** `entries`: what takes down what happens. */
export async function openCallContext(host: ApiHost, entries: CallScope['log']): Promise<CallContext> {
  const { projectRoot, agentHome, scrubber } = host;
  const session = newId('SessionId');
  const scratchDir = path.join(agentHome, 'scratch', session);
  await mkdir(scratchDir, { recursive: true, mode: 0o700 });
  const context = new RunContext({
    cwd: projectRoot,
    projectRoot,
    scratchDir,
    dataDir: agentHome,
    sessionId: session,
    runId: newId('RunId'),
    meta: {},
    log: silentLogger,
    entries,
    scrubber,
    reads: new ReadRecords(),
    locks: processPathLocks,
  });
  return { context, scratchDir };
}
