import type { ApprovalId } from '@wrongstack/contracts';
import { WaitingApprovals } from '@wrongstack/kernel';
import { GovernedOffer, McpHttpHandler, siteRefusal } from '@wrongstack/mcp/server';
import type { Principal } from '../auth/principal.js';
import type { ApiHost } from '../host/api-host.js';
import { VERSION } from '../version.js';
import { openConnection } from './open-connection.js';
import type { ServerApprovalsParts } from '../approvals/server-approvals.js';

export { siteRefusal };

export interface Caller {
  readonly subject: string;
  readonly principal: Principal;
}

const MOST_SESSIONS = 16;

/** Every connection of agents. It brings the protocol's library along, so it is loaded when the first of them comes. */
export function serveConnections(
  host: ApiHost,
  parts: Omit<ServerApprovalsParts, 'scrub' | 'onProgress'>,
): McpHttpHandler<Caller> {
  const waiting = new WaitingApprovals(host.kernel.events);
  const approvals: ServerApprovalsParts = {
    ...parts,
    scrub: (text) => host.scrubber.scrub(text),
    onProgress: ({ call }, { id, needed: need, answers, expiresAt }) => {
      const have = answers.filter(({ answer }) => answer === 'approve').length;
      waiting.announce(call.id, { approval: id as ApprovalId, need, have, expiresAt });
    },
  };
  return new McpHttpHandler<Caller>({
    ...{ name: 'wrongstack-api', title: 'WrongStack', version: VERSION },
    offer: async ({ principal }) => new GovernedOffer(await openConnection(host, principal, approvals)),
    mostSessions: MOST_SESSIONS,
  });
}
