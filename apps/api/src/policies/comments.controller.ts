import { randomUUID } from 'node:crypto';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { isoNow } from '@wrongstack/contracts';
import type { Page, PolicyComment } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { PAGE_QUERY, type PageQuery, pageSchema } from '../http/page.js';
import type { Schema } from '../http/route-contract.js';
import { Caller, Route } from '../http/route.handler.js';
import { unknownPolicy } from './unknown-policy.js';

const NEW_COMMENT: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 10_000 },
    revision: { type: ['integer', 'null'], minimum: 1, description: 'Null = about the draft.' },
  },
};

const COMMENT: Schema = {
  type: 'object',
  required: ['id', 'policy', 'revision', 'author', 'text', 'at'],
  properties: {
    id: { type: 'string' },
    policy: { type: 'string' },
    revision: { type: ['integer', 'null'] },
    author: { type: 'string' },
    text: { type: 'string' },
    at: { type: 'string' },
  },
};

/** What people say about a draft or a revision. */
@Controller('v1/policies/:id/comments')
export class CommentsController {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  @Route('GET', '', {
    summary: 'Comments, oldest first',
    ability: ['read', 'Policy'],
    query: PAGE_QUERY,
    answers: { 200: { description: 'Comments.', schema: pageSchema(COMMENT) } },
  })
  list(@Param('id') id: string, @Query() query: PageQuery): Promise<Page<PolicyComment>> {
    return this.control.store.policies.comments(id, query);
  }

  @Route('POST', '', {
    summary: 'Say something about it',
    ability: ['update', 'Policy'],
    body: NEW_COMMENT,
    idempotency: 'replay',
    answers: { 201: { description: 'The comment.', schema: COMMENT } },
    problems: { 404: 'No such policy.' },
  })
  async add(
    @Caller() caller: Principal,
    @Param('id') policy: string,
    @Body() { text, revision = null }: { readonly text: string; readonly revision?: number | null },
  ): Promise<PolicyComment> {
    const { store, clock } = this.control;
    if ((await store.policies.get(policy)) === null) throw unknownPolicy();
    const comment = { id: randomUUID(), policy, revision, author: caller.user, text, at: isoNow(clock) };
    await store.policies.addComment(comment);
    return comment;
  }
}
