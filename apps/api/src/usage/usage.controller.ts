import { Controller, Inject, Query } from '@nestjs/common';
import { isoNow } from '@wrongstack/contracts';
import type { UsageHolder } from '@wrongstack/contracts/control';
import { type UsageAnswer, usageAnswerSchema, type UsedUp } from '@wrongstack/contracts/wire';
import { callersOwn } from '../auth/callers-own.js';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import type { Schema } from '../http/route-contract.js';
import { Caller, Route } from '../http/route.handler.js';
import { firstOfMonth, usageOf } from './usage-of.js';

const DAY: Schema = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' };
const USED: Schema = {
  type: 'object',
  required: ['name', 'tokens', 'costUsd', 'toolCalls'],
  properties: {
    name: { type: 'string' },
    tokens: { type: 'integer' },
    costUsd: { type: 'number' },
    toolCalls: { type: 'integer' },
  },
};

interface ListQuery {
  readonly of: UsageHolder['kind'];
  readonly from?: string;
  readonly through?: string;
  readonly limit: number;
}

/** What people and teams used up, as their machines reported it. */
@Controller('v1/usage')
export class UsageController {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  @Route('GET', 'mine', {
    summary: 'What you and your team used up today and this month, over all machines',
    ability: ['read', 'Usage'],
    answers: {
      200: {
        description: 'For the budgets of the policy. Days and months are UTC.',
        schema: usageAnswerSchema,
      },
    },
  })
  async mine(@Caller() caller: Principal): Promise<UsageAnswer> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const [team] = caller.teams;
    return {
      at,
      user: await usageOf(store, { kind: 'user', name: caller.user }, at),
      team: team === undefined ? null : await usageOf(store, { kind: 'team', name: team }, at),
    };
  }

  @Route('GET', '', {
    summary: 'What people or teams used up, most tokens first',
    ability: ['read', 'Usage'],
    query: {
      of: { enum: ['user', 'team'], default: 'user' },
      from: DAY,
      through: DAY,
      limit: { type: 'integer', minimum: 1, maximum: 1_000, default: 100 },
    },
    answers: {
      200: {
        description:
          'Over the UTC days from `from` to `through`, this month by default. Your own alone, unless you may see all.',
        schema: {
          type: 'object',
          required: ['from', 'through', 'items'],
          properties: { from: DAY, through: DAY, items: { type: 'array', items: USED } },
        },
      },
    },
  })
  async list(@Caller() caller: Principal, @Query() query: ListQuery) {
    const today = isoNow(this.control.clock).slice(0, 10);
    const { of: kind, from = firstOfMonth(today), through = today, limit } = query;
    const items = await this.#list(caller, kind, from, through, limit);
    return { from, through, items };
  }

  async #list(
    caller: Principal,
    kind: UsageHolder['kind'],
    from: string,
    through: string,
    limit: number,
  ): Promise<readonly (UsedUp & { readonly name: string })[]> {
    const { usage } = this.control.store;
    if (callersOwn(caller, 'read', 'Usage') === null) return usage.list(kind, from, through, limit);
    const names = kind === 'user' ? [caller.user] : caller.teams;
    return Promise.all(
      names.map(async (name) => ({ name, ...(await usage.of({ kind, name }, from, through)) })),
    );
  }
}
