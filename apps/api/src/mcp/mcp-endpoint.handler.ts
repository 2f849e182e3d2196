import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { CommandBus } from '@nestjs/cqrs';
import type { McpHttpHandler } from '@wrongstack/mcp/server';
import type { ApprovalWatch } from '../approvals/approval-watch.js';
import { approvalsByCommand } from '../approvals/approvals-by-command.js';
import type { Principal } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import type { ApiHost } from '../host/api-host.js';
import type { Caller } from './serve-connections.js';

/** The governed tools of this server over the Model Context Protocol, for enrolled agents. */
export class McpEndpoint implements BeforeApplicationShutdown {
  #handler: McpHttpHandler<Caller> | null = null;

  constructor(
    private readonly host: ApiHost,
    private readonly control: ControlPlane,
    private readonly watch: ApprovalWatch,
    private readonly commands: CommandBus,
    private readonly graceMs: number,
  ) {}

  /** Throws a problem for whoever has nothing to do here. What it gives answers the request, and never rejects. */
  async admit(
    principal: Principal,
    { headers }: Pick<IncomingMessage, 'headers'>,
  ): Promise<(request: IncomingMessage, response: ServerResponse, body: unknown) => Promise<void>> {
    const { serveConnections, siteRefusal } = await import('./serve-connections.js');
    const refusal = siteRefusal(headers, [new URL(this.control.url).hostname]);
    if (refusal !== null) {
      const detail = `${refusal.message}: the API is reached by its WRONGSTACK_URL`;
      throw new ApiProblem(403, 'mcp.other_site', detail);
    }
    if (principal.kind !== 'agent') {
      const detail = 'this is for enrolled agents: enrol one, and issue a token for it';
      throw new ApiProblem(403, 'mcp.agents_only', detail);
    }
    const { control, watch } = this;
    this.#handler ??= serveConnections(this.host, {
      control,
      watch,
      actions: approvalsByCommand((command) => this.commands.execute(command)),
    });
    const handler = this.#handler;
    const caller = { subject: subjectOf(principal), principal };
    return (request, response, body) => handler.handle(request, response, caller, body);
  }

  /** What is being answered gets its grace; listening clients must not hold the end up. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#handler?.drain(this.graceMs);
  }
}

/** All that decides what somebody may do: a session ends when any of it changes. The credential may: it lives for an hour. */
function subjectOf({ id, user, teams, roles, scopes }: Principal): string {
  return JSON.stringify([id, user, teams, [...roles].sort(), scopes]);
}
