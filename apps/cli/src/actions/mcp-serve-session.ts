import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { VerifiedAgent } from '@wrongstack/adapters/control';
import { type ActorFacts, newId, type SessionLog, type SessionStore } from '@wrongstack/contracts';
import { processPathLocks, ReadRecords, RunContext } from '@wrongstack/kernel';
import { KernelSession } from '@wrongstack/mcp/server';
import { questionText } from '../acp/permission-text.js';
import { localActor, vouchedActor } from '../app/actor.js';
import type { Host } from '../app/host.js';
import { mcpWaitMs } from '../app/open-session.js';

const MOST_LOG_CHARACTERS = 1024 * 1024;

/**
 * One MCP client's connection: what it has read, its scratch folder and its log last as long as it does. `agent`: for whom the control
 * plane vouches; null = nobody does.
 */
export async function openMcpSession(
  host: Host,
  store: SessionStore,
  agent: VerifiedAgent | null = null,
): Promise<KernelSession> {
  const { kernel, request, clock, control, metrics } = host;
  const { cwd, projectRoot, paths, environment } = request;
  const log = await store.create({ projectRoot, cwd, model: 'none: calls of an MCP client' });
  const scratchDir = path.join(paths.scratch, log.id);
  await mkdir(scratchDir, { recursive: true, mode: 0o700 });
  // A client asks for the list of tools once.
  await host.extensions.ready(mcpWaitMs(host), new AbortController().signal);
  const run = newId('RunId');
  const context = new RunContext({
    cwd,
    projectRoot,
    scratchDir,
    dataDir: paths.agentHome,
    sessionId: log.id,
    runId: run,
    meta: {},
    log: host.log,
    entries: log,
    scrubber: host.scrubber,
    reads: new ReadRecords(),
    locks: processPathLocks,
  });
  return new KernelSession({
    ...{ kernel, session: log.id, run, context, log, metrics },
    actor: (declared) => actorOf(host, declared, agent),
    facts: control.facts,
    others: (waits) => host.centre?.othersFor(waits) ?? null,
    describe: (asked) => questionText(asked, environment.home, clock.now()),
    readLog: () => textOf(log),
    policies: () => policiesOf(host),
    close: async () => {
      await log.flush();
      await log.close();
    },
  });
}

/** A client says who it is, and nobody vouches for that: no rule that allows by identity matches it, unless its bearer proved more. */
function actorOf(host: Host, declared: string | null, agent: VerifiedAgent | null): ActorFacts {
  if (agent !== null) return { ...vouchedActor(agent), agent: { name: agent.id, authenticated: true } };
  return { ...localActor(host), agent: { name: declared ?? 'mcp-client', authenticated: false } };
}

async function textOf(log: SessionLog): Promise<string> {
  await log.flush();
  let text = '';
  for await (const entry of log.entries())
    text = `${text}${JSON.stringify(entry)}\n`.slice(-MOST_LOG_CHARACTERS);
  return text;
}

async function policiesOf({ documents, request }: Host) {
  const loaded = await documents.load(request.projectRoot);
  return loaded.documents.map((document) => ({
    name: document.metadata.id,
    text: JSON.stringify(document, null, 2),
  }));
}
