import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Page, TokenRecord } from '@wrongstack/contracts/control';
import { callersOwn } from '../auth/callers-own.js';
import { forbidden, requireAbility } from '../auth/caller.js';
import { abilitiesOf } from '../auth/compile-ability.js';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { PAGE_QUERY, type PageQuery, pageSchema } from '../http/page.js';
import { Caller, Route } from '../http/route.handler.js';
import { IssueToken, type TokenWanted } from './issue-token.command.js';
import { RevokeToken } from './revoke-token.command.js';
import { ISSUED_TOKEN, NEW_TOKEN, type NewTokenBody, TOKEN, tokenView } from './token-schemas.js';

const DAY_MS = 24 * 3_600_000;
const DEFAULT_DAYS = 90;
const FOR_CALLS = 'create:ToolCall';

type TokenView = ReturnType<typeof tokenView>;

@Controller('v1/tokens')
export class TokensController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  @Route('GET', '', {
    summary: 'API tokens: yours, or all for admins',
    ability: ['read', 'Token'],
    query: { ...PAGE_QUERY, agent: { type: 'string', maxLength: 60, description: 'Those of this agent.' } },
    answers: { 200: { description: 'Tokens, without their secrets.', schema: pageSchema(TOKEN) } },
    problems: { 404: 'No such agent of yours.' },
  })
  async list(
    @Caller() caller: Principal,
    @Query() { agent, ...query }: PageQuery & { readonly agent?: string },
  ): Promise<Page<TokenView>> {
    const own = agent ?? callersOwn(caller, 'read', 'Token');
    if (agent !== undefined) await this.#requireAgent(caller, 'read', agent);
    const filter = { kind: 'api' as const, ...(own === null ? {} : { principal: own }) };
    const { items, next } = await this.control.store.tokens.list(filter, query);
    return { items: items.map(tokenView), next };
  }

  @Route('POST', '', {
    summary: 'Issue a token; it is shown this once',
    ability: ['create', 'Token'],
    body: NEW_TOKEN,
    bodyExample: { name: 'nightly audit export', scopes: ['export:Audit'], expiresInDays: 30 },
    idempotency: 'once',
    answers: { 201: { description: 'The token.', schema: ISSUED_TOKEN } },
    problems: { 404: 'No such agent of yours.', 409: 'agent.revoked.' },
  })
  async issue(
    @Caller() caller: Principal,
    @Body() body: NewTokenBody,
  ): Promise<{ readonly token: string; readonly record: TokenView }> {
    const { name, expiresInDays = DEFAULT_DAYS, service, agent } = body;
    // An agent's lies in the settings of a program: it opens no more than it is for.
    const { scopes = agent === undefined ? ['*'] : [FOR_CALLS] } = body;
    if (agent !== undefined) await this.#requireAgent(caller, 'create', agent);
    if (service !== undefined && !abilitiesOf(caller).may('create', 'Token', { owner: null }))
      throw forbidden('create', 'Token');
    const expiresAt = new Date(this.control.clock.now() + expiresInDays * DAY_MS).toISOString();
    const { token, record } = await this.commands.execute(
      new IssueToken(caller, {
        name,
        scopes,
        expiresAt,
        holder: holderOf(body),
      }),
    );
    return { token, record: tokenView(record) };
  }

  @Route('DELETE', ':id', {
    summary: 'Revoke a token, from now on',
    ability: ['delete', 'Token'],
    answers: { 204: { description: 'It is revoked.' } },
    problems: { 404: 'No such token of yours.' },
  })
  async revoke(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    const missing = new ApiProblem(404, 'token.unknown', 'there is no such token');
    const record: TokenRecord | null = await this.control.store.tokens.get(id);
    if (record === null) throw missing;
    const { id: holder, kind } = record.principal;
    const agent = kind === 'agent' ? await this.control.store.agents.get(holder) : null;
    requireAbility(caller, 'delete', 'Token', { owner: agent?.owner ?? holder }, missing);
    await this.commands.execute(new RevokeToken(caller, id));
  }

  async #requireAgent(caller: Principal, action: 'read' | 'create', id: string): Promise<void> {
    const missing = new ApiProblem(404, 'agent.unknown', 'there is no such agent');
    const agent = await this.control.store.agents.get(id);
    if (agent === null) throw missing;
    requireAbility(caller, action, 'Token', { owner: agent.owner }, missing);
    if (action === 'create' && agent.revoked !== null)
      throw new ApiProblem(409, 'agent.revoked', 'this agent was revoked: enrol another one');
  }
}

function holderOf({ agent, service }: NewTokenBody): TokenWanted['holder'] {
  if (agent !== undefined && service !== undefined)
    throw new ApiProblem(422, 'request.invalid', 'agent and service: name one of them');
  if (agent !== undefined) return { kind: 'agent', id: agent };
  return service === undefined ? null : { kind: 'service', teams: [], ...service };
}
