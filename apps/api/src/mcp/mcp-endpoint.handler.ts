import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { CommandBus } from '@nestjs/cqrs';
import type { ApprovalId } from '@wrongstack/contracts';
import type { ApprovalRequest } from '@wrongstack/contracts/control';
import { WaitingApprovals } from '@wrongstack/kernel';
import { GovernedOffer, McpHttpHandler, siteRefusal } from '@wrongstack/mcp/server';
import type { ApprovalWatch } from '../approvals/approval-watch.js';
import { CreateApproval } from '../approvals/create-approval.command.js';
import { UseApproval } from '../approvals/use-approval.command.js';
import { WithdrawApproval } from '../approvals/withdraw-approval.command.js';
import type { Principal } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import type { ApiHost } from '../host/api-host.js';
import { VERSION } from '../version.js';
import { openConnection } from './open-connection.js';
import type { ServerApprovalsParts } from './server-approvals.js';

interface Caller {
  readonly subject: string;
  readonly principal: Principal;
}

const MOST_SESSIONS = 16;

/** The governed tools of this server over the Model Context Protocol, for enrolled agents. */
export class McpEndpoint implements BeforeApplicationShutdown {
  readonly #handler: McpHttpHandler<Caller>;
  readonly #names: readonly string[];

  constructor(
    host: ApiHost,
    control: ControlPlane,
    watch: ApprovalWatch,
    commands: CommandBus,
    private readonly graceMs: number,
  ) {
    const approvals = approvalsOf(host, control, watch, commands);
    this.#names = [new URL(control.url).hostname];
    this.#handler = new McpHttpHandler<Caller>({
      ...{ name: 'wrongstack-api', title: 'WrongStack', version: VERSION },
      offer: async ({ principal }) => new GovernedOffer(await openConnection(host, principal, approvals)),
      mostSessions: MOST_SESSIONS,
    });
  }

  /** Throws a problem for whoever has nothing to do here. Afterwards the answer is the handler's. */
  admit(principal: Principal, { headers }: Pick<IncomingMessage, 'headers'>): void {
    const refusal = siteRefusal(headers, this.#names);
    if (refusal !== null)
      throw new ApiProblem(
        403,
        'mcp.other_site',
        `${refusal.message}: the API is reached by its WRONGSTACK_URL`,
      );
    if (principal.kind !== 'agent')
      throw new ApiProblem(
        403,
        'mcp.agents_only',
        'this is for enrolled agents: enrol one, and issue a token for it',
      );
  }

  handle(
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
    body: unknown,
  ): Promise<void> {
    return this.#handler.handle(request, response, { subject: subjectOf(principal), principal }, body);
  }

  /** What is being answered gets its grace; listening clients must not hold the end up. */
  beforeApplicationShutdown(): Promise<void> {
    return this.#handler.drain(this.graceMs);
  }
}

/** All that decides what somebody may do: a session ends when any of it changes. The credential may: it lives for an hour. */
function subjectOf({ id, user, teams, roles, scopes }: Principal): string {
  return JSON.stringify([id, user, teams, [...roles].sort(), scopes]);
}

function approvalsOf(
  host: ApiHost,
  control: ControlPlane,
  watch: ApprovalWatch,
  commands: CommandBus,
): ServerApprovalsParts {
  const waiting = new WaitingApprovals(host.kernel.events);
  const run = (command: CreateApproval | UseApproval | WithdrawApproval): Promise<ApprovalRequest> =>
    commands.execute<ApprovalRequest>(command);
  return {
    ...{ control, watch },
    actions: {
      create: (by, body) => run(new CreateApproval(by, body)),
      use: (by, id, body) => run(new UseApproval(by, id, body)),
      withdraw: (by, id) => run(new WithdrawApproval(by, id)),
    },
    scrub: (text) => host.scrubber.scrub(text),
    onProgress: ({ call }, { id, needed: need, answers, expiresAt }) =>
      waiting.announce(call.id, {
        approval: id as ApprovalId,
        need,
        have: answers.filter(({ answer }) => answer === 'approve').length,
        expiresAt,
      }),
  };
}
