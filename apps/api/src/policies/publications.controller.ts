import { randomBytes } from 'node:crypto';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { PolicyRevision } from '@wrongstack/contracts/control';
import {
  type PublishPolicy as PublishBody,
  publishPolicySchema,
  type RevisionView,
  revisionViewSchema,
} from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import type { Schema } from '../http/route-contract.js';
import { Caller, Route } from '../http/route.handler.js';
import { revisionView } from './policy-views.js';
import { PublishPolicy } from './publish-policy.command.js';
import { EVERYBODY } from './put-in-force.js';
import { ReviewRevision } from './review-revision.command.js';
import { RollBackPolicy } from './roll-back-policy.command.js';
import { type Steering, SteerRollout } from './steer-rollout.command.js';

const REASON: Schema = { type: 'string', minLength: 1, maxLength: 2000 };
const BECAUSE: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['because'],
  properties: { because: REASON },
};
const APPROVE: Schema = { type: 'object', additionalProperties: false, properties: { because: REASON } };
const ADVANCE: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['rollout'],
  properties: {
    rollout: {
      type: ['object', 'null'],
      description: 'Null = everybody.',
      additionalProperties: false,
      required: ['teams', 'percent'],
      properties: {
        teams: { type: 'array', items: { type: 'string', maxLength: 200 }, maxItems: 200 },
        percent: { type: 'number', minimum: 0, maximum: 100 },
      },
    },
  },
};
const ROLL_BACK: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['to', 'expectedRevision', 'note'],
  properties: {
    to: { type: 'integer', minimum: 1 },
    expectedRevision: { type: 'integer', minimum: 1, description: 'newestRevision as you saw it.' },
    note: REASON,
  },
};
const NUMBER = { n: { type: 'integer', minimum: 1, maximum: 1_000_000_000 } };
const REVISION = { description: 'The revision as it is now.', schema: revisionViewSchema };
const PROBLEMS = {
  404: 'No such policy or revision.',
  409: 'It is in another state, or somebody was quicker.',
};

interface RollBackBody {
  readonly to: number;
  readonly expectedRevision: number;
  readonly note: string;
}

/** What puts policies in force, and takes them back. */
@Controller('v1/policies/:id')
export class PublicationsController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Route('POST', 'publications', {
    summary: 'Publish the draft, at once or to some first',
    ability: ['publish', 'Publication'],
    params: { id: { type: 'string' } },
    body: publishPolicySchema,
    bodyExample: {
      expectedRevision: 41,
      note: 'allow the new registry',
      rollout: { teams: ['payments'], percent: 10, salt: '' },
    },
    idempotency: 'replay',
    answers: { 201: REVISION },
    problems: {
      409: 'policy.revision_conflict or draft.changed.',
      422: 'policy.tests_failed lists the tests.',
    },
  })
  publish(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: PublishBody,
  ): Promise<RevisionView> {
    const { expectedRevision, note = '', rollout } = body;
    // A salt of its own, unless somebody wants the same people as before.
    const salt = rollout === undefined || rollout.salt === '' ? randomBytes(8).toString('hex') : rollout.salt;
    const wanted = { ...(rollout ?? EVERYBODY), salt };
    return this.#run(new PublishPolicy(caller, id, expectedRevision, note, wanted));
  }

  @Route('POST', 'revisions/:n/approve', {
    summary: 'Say yes to what somebody else wrote',
    ability: ['review', 'Publication'],
    params: NUMBER,
    body: APPROVE,
    answers: { 200: REVISION },
    problems: { ...PROBLEMS, 403: 'policy.four_eyes: you wrote it.' },
  })
  approve(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('n') number: string,
    @Body() { because = '' }: { readonly because?: string },
  ): Promise<RevisionView> {
    return this.#run(new ReviewRevision(caller, id, Number(number), true, because));
  }

  @Route('POST', 'revisions/:n/reject', {
    summary: 'Say no to what somebody else wrote',
    ability: ['review', 'Publication'],
    params: NUMBER,
    body: BECAUSE,
    answers: { 200: REVISION },
    problems: { ...PROBLEMS, 403: 'policy.four_eyes: you wrote it.' },
  })
  reject(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('n') number: string,
    @Body() { because }: { readonly because: string },
  ): Promise<RevisionView> {
    return this.#run(new ReviewRevision(caller, id, Number(number), false, because));
  }

  @Route('POST', 'revisions/:n/advance', {
    summary: 'Take a staged revision further, or to everybody',
    ability: ['publish', 'Publication'],
    params: NUMBER,
    body: ADVANCE,
    answers: { 200: REVISION },
    problems: PROBLEMS,
  })
  advance(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('n') number: string,
    @Body() { rollout }: Pick<Extract<Steering, { to: 'advance' }>, 'rollout'>,
  ): Promise<RevisionView> {
    return this.#run(new SteerRollout(caller, id, Number(number), { to: 'advance', rollout }));
  }

  @Route('POST', 'revisions/:n/halt', {
    summary: 'Take a staged revision back from everybody who has it',
    ability: ['publish', 'Publication'],
    params: NUMBER,
    body: BECAUSE,
    answers: { 200: REVISION },
    problems: PROBLEMS,
  })
  halt(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('n') number: string,
    @Body() { because }: { readonly because: string },
  ): Promise<RevisionView> {
    return this.#run(new SteerRollout(caller, id, Number(number), { to: 'halt', because }));
  }

  @Route('POST', 'rollback', {
    summary: 'An earlier text in force again, as a new revision, for everybody at once',
    ability: ['publish', 'Publication'],
    body: ROLL_BACK,
    idempotency: 'replay',
    answers: { 201: REVISION },
    problems: PROBLEMS,
  })
  rollBack(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: RollBackBody,
  ): Promise<RevisionView> {
    const { to, expectedRevision, note } = body;
    return this.#run(new RollBackPolicy(caller, id, to, expectedRevision, note));
  }

  async #run(command: PublishPolicy | ReviewRevision | SteerRollout | RollBackPolicy): Promise<RevisionView> {
    return revisionView(await this.commands.execute<PolicyRevision>(command));
  }
}
