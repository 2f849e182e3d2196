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
import { IssueToken } from './issue-token.command.js';
import { RevokeToken } from './revoke-token.command.js';
import { ISSUED_TOKEN, NEW_TOKEN, type NewTokenBody, TOKEN, tokenView } from './token-schemas.js';

const DAY_MS = 24 * 3_600_000;
const DEFAULT_DAYS = 90;

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
    query: PAGE_QUERY,
    answers: { 200: { description: 'Tokens, without their secrets.', schema: pageSchema(TOKEN) } },
  })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<Page<TokenView>> {
    const own = callersOwn(caller, 'read', 'Token');
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
  })
  async issue(
    @Caller() caller: Principal,
    @Body() body: NewTokenBody,
  ): Promise<{ readonly token: string; readonly record: TokenView }> {
    const { name, scopes = ['*'], expiresInDays = DEFAULT_DAYS, service } = body;
    if (service !== undefined && !abilitiesOf(caller).may('create', 'Token', { owner: null }))
      throw forbidden('create', 'Token');
    const expiresAt = new Date(this.control.clock.now() + expiresInDays * DAY_MS).toISOString();
    const { token, record } = await this.commands.execute(
      new IssueToken(caller, {
        name,
        scopes,
        expiresAt,
        service: service === undefined ? null : { teams: [], ...service },
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
    requireAbility(caller, 'delete', 'Token', { owner: record.principal.id }, missing);
    await this.commands.execute(new RevokeToken(caller, id));
  }
}
