import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type AgentRecord, type Page } from '@wrongstack/contracts/control';
import {
  type AgentIdentity,
  agentIdentitySchema,
  type EnrolAgent as EnrolBody,
  enrolAgentSchema,
  type EnrolledAgent,
  enrolledAgentSchema,
  type RefreshAgent as RefreshBody,
  refreshAgentSchema,
} from '@wrongstack/contracts/wire';
import { requireAbility } from '../auth/caller.js';
import { callersOwn } from '../auth/callers-own.js';
import { type Principal, ROLES } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { RootKey } from '../control/root-key.js';
import { ApiProblem } from '../errors/api-problem.js';
import { PAGE_QUERY, type PageQuery, pageSchema } from '../http/page.js';
import type { Schema } from '../http/route-contract.js';
import { Caller, Route } from '../http/route.handler.js';
import { EnrolAgent } from './enrol-agent.command.js';
import { RefreshAgent } from './refresh-agent.command.js';
import { RevokeAgent } from './revoke-agent.command.js';

const AGENT: Schema = {
  type: 'object',
  required: ['id', 'name', 'owner', 'teams', 'roles', 'host', 'enrolledAt', 'revoked'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    owner: { type: 'string' },
    teams: { type: 'array', items: { type: 'string' } },
    roles: { type: 'array', items: { enum: [...ROLES] } },
    host: { type: ['string', 'null'] },
    enrolledAt: { type: 'string' },
    revoked: {
      type: ['object', 'null'],
      required: ['at', 'because'],
      properties: { at: { type: 'string' }, because: { type: 'string' } },
    },
  },
};

/** Agents of people: each has an identity of its own, for an hour at a time. */
@Controller('v1/agents')
export class AgentsController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(RootKey) private readonly root: RootKey,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  @Route('POST', '', {
    summary: 'Enrol an agent of yours at once',
    ability: ['create', 'Agent'],
    body: enrolAgentSchema,
    answers: { 201: { description: 'The new agent.', schema: enrolledAgentSchema } },
  })
  async enrol(@Caller() caller: Principal, @Body() body: EnrolBody): Promise<EnrolledAgent> {
    const identity = await this.commands.execute(new EnrolAgent(caller, body));
    return { ...identity, rootKey: this.root.publicKey };
  }

  @Route('POST', 'token', {
    summary: 'Another hour, for the refresh secret',
    ability: 'public',
    body: refreshAgentSchema,
    answers: { 200: { description: 'The agent as it is now.', schema: agentIdentitySchema } },
    problems: { 401: 'agent.unknown or agent.revoked.' },
  })
  refresh(@Body() body: RefreshBody): Promise<AgentIdentity> {
    return this.commands.execute(new RefreshAgent(body));
  }

  @Route('GET', '', {
    summary: 'Agents: yours, or all for admins',
    ability: ['read', 'Agent'],
    query: PAGE_QUERY,
    answers: { 200: { description: 'Agents, by id.', schema: pageSchema(AGENT) } },
  })
  list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<Page<AgentRecord>> {
    const owner = callersOwn(caller, 'read', 'Agent');
    return this.control.store.agents.list(owner === null ? {} : { owner }, query);
  }

  @Route('DELETE', ':id', {
    summary: 'Revoke an agent, with all that it holds',
    ability: ['delete', 'Agent'],
    answers: { 204: { description: 'It is revoked.' } },
    problems: { 404: 'No such agent of yours.' },
  })
  async revoke(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    const missing = new ApiProblem(404, 'agent.unknown', 'there is no such agent');
    const agent = await this.control.store.agents.get(id);
    if (agent === null) throw missing;
    requireAbility(caller, 'delete', 'Agent', { owner: agent.owner }, missing);
    await this.commands.execute(new RevokeAgent(caller, id));
  }
}
