import { mkdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { ensureAgentHome } from '@wrongstack/adapters';
import { newId, silentLogger, type ToolUseBlock } from '@wrongstack/contracts';
import { type CallOutcome, processPathLocks, ReadRecords, RunContext } from '@wrongstack/kernel';
import { localActor } from './actor.js';
import type { Host } from './host.js';

/** Run one call through the whole journey, outside of any conversation: decided, recorded in the audit log, bounded. */
export async function singleCall(
  host: Host,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const { cwd, projectRoot, paths } = host.request;
  const session = newId('SessionId');
  const run = newId('RunId');
  const scratchDir = path.join(paths.scratch, session);
  ensureAgentHome(paths.agentHome, 'write');
  await mkdir(scratchDir, { recursive: true, mode: 0o700 });
  const log = { append: async (): Promise<void> => undefined };
  const context = new RunContext({
    cwd,
    projectRoot,
    scratchDir,
    dataDir: paths.agentHome,
    sessionId: session,
    runId: run,
    meta: {},
    log: silentLogger,
    entries: log,
    scrubber: host.scrubber,
    reads: new ReadRecords(),
    locks: processPathLocks,
  });
  const use: ToolUseBlock = { type: 'tool_use', id: newId('CallId'), name, input };
  try {
    return await host.kernel.executor.execute(
      use,
      {
        origin: { session, run, agent: 'main' },
        context,
        actor: localActor(host),
        session: host.control.facts,
        log,
      },
      signal,
    );
  } finally {
    await context.end();
    // What was spilled stays for whoever was told its path; an empty folder is nobody's.
    await rmdir(scratchDir).catch(() => undefined);
  }
}
