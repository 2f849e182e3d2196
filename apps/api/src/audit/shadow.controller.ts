import { Controller, Inject, Param, Query } from '@nestjs/common';
import type { ShadowCount } from '@wrongstack/contracts/control';
import { ControlPlane } from '../control/control-plane.js';
import type { Schema } from '../http/route-contract.js';
import { Route } from '../http/route.handler.js';
import { unknownPolicy } from '../policies/unknown-policy.js';

const TOTALS: Schema = {
  type: 'object',
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['document', 'revision', 'rule', 'team', 'tool', 'matched', 'diverged'],
        properties: {
          document: { type: 'string' },
          revision: { type: 'integer' },
          rule: { type: 'string' },
          team: { type: ['string', 'null'] },
          tool: { type: 'string' },
          matched: { type: 'integer', description: 'Calls that the rule matched.' },
          diverged: {
            type: 'integer',
            description: 'Of those, calls whose verdict would have been another one.',
          },
        },
      },
    },
  },
};

/** What rules on trial would have changed. */
@Controller('v1/policies/:id/shadow')
export class ShadowController {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  @Route('GET', '', {
    summary: 'How often rules in shadow mode matched, and would have changed a verdict',
    ability: ['read', 'Policy'],
    query: {
      revision: { type: 'integer', minimum: 1 },
      from: { type: 'string', format: 'date-time' },
      to: { type: 'string', format: 'date-time' },
    },
    answers: {
      200: { description: 'By revision, rule, team and tool; the most divergent first.', schema: TOTALS },
    },
    problems: { 404: 'No such policy.' },
  })
  async totals(
    @Param('id') id: string,
    @Query()
    { revision, from, to }: { readonly revision?: number; readonly from?: string; readonly to?: string },
  ): Promise<{ readonly items: readonly Omit<ShadowCount, 'hour'>[] }> {
    const { store } = this.control;
    if ((await store.policies.get(id)) === null) throw unknownPolicy();
    const items = await store.shadow.totals({
      document: id,
      ...(revision === undefined ? {} : { revision }),
      ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
      ...(to === undefined ? {} : { to: new Date(to).toISOString() }),
    });
    return { items };
  }
}
