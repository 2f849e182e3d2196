import { rm } from 'node:fs/promises';
import { KernelSession, plainQuestion } from '@wrongstack/mcp/server';
import type { Principal } from '../auth/principal.js';
import type { ApiHost } from '../host/api-host.js';
import { openCallContext } from '../tools/call-context.js';
import { actorOf, ASKS_OTHERS, taskOwnerOf } from '../tools/governed-calls.js';
import { ConnectionLog } from './connection-log.js';
import { ServerApprovals, type ServerApprovalsParts } from '../approvals/server-approvals.js';

/** One connection of an enrolled agent: its calls go the way of `POST /v1/tools/{name}/calls`, and it remembers what they have read. */
export async function openConnection(
  host: ApiHost,
  caller: Principal,
  approvals: ServerApprovalsParts,
): Promise<KernelSession> {
  const { kernel, metrics } = host;
  const log = new ConnectionLog();
  const { context, scratchDir } = await openCallContext(host, log);
  const { sessionId: session, runId: run } = context;
  const actor = actorOf(caller);
  return new KernelSession({
    ...{ kernel, metrics, session, run, context, log },
    // What the client calls itself counts for nothing: it is known already.
    actor: () => actor,
    facts: () => ASKS_OTHERS,
    others: (waits) => new ServerApprovals(approvals, caller, waits),
    describe: plainQuestion,
    readLog: async () => log.text(),
    policies: async () => {
      const { documents } = await host.central.load(host.projectRoot, actor);
      return documents.map((document) => ({
        name: document.metadata.id,
        text: JSON.stringify(document, null, 2),
      }));
    },
    taskOwner: taskOwnerOf(caller, session),
    close: () => rm(scratchDir, { recursive: true, force: true }),
  });
}
