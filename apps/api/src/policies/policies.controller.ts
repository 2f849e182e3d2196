import { Body, Controller, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Page, PolicyRecord } from '@wrongstack/contracts/control';
import {
  type CreatePolicy as CreateBody,
  createPolicySchema,
  type DraftView,
  draftViewSchema,
  type PolicyView,
  policyViewSchema,
  type RevisionView,
  revisionViewSchema,
  type SaveDraft as SaveBody,
  saveDraftSchema,
} from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { entityTag, versionIn } from '../http/entity-tag.js';
import { PAGE_QUERY, type PageQuery, pageSchema } from '../http/page.js';
import type { Reply } from '../http/reply.js';
import { Caller, Route } from '../http/route.handler.js';
import { CreatePolicy } from './create-policy.command.js';
import { PolicyList } from './policy-list.js';
import { draftView, revisionView } from './policy-views.js';
import { draftChanged, SaveDraft } from './save-draft.command.js';
import { unknownPolicy, unknownRevision } from './unknown-policy.js';

const NUMBER = { n: { type: 'integer', minimum: 1, maximum: 1_000_000_000 } };
const UNKNOWN = { 404: 'No such policy, draft or revision.' };

/** Policies, their drafts and what became of them. */
@Controller('v1/policies')
export class PoliciesController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(PolicyList) private readonly policyList: PolicyList,
  ) {}

  @Route('GET', '', {
    summary: 'Policies',
    ability: ['read', 'Policy'],
    query: PAGE_QUERY,
    answers: { 200: { description: 'Policies, by id.', schema: pageSchema(policyViewSchema) } },
  })
  async list(@Query() query: PageQuery): Promise<Page<PolicyView>> {
    const { items, next } = await this.control.store.policies.list({}, query);
    return { items: await this.policyList.views(items), next };
  }

  @Route('POST', '', {
    summary: 'Begin a policy, as a draft',
    ability: ['create', 'Policy'],
    body: createPolicySchema,
    idempotency: 'replay',
    answers: { 201: { description: 'The policy.', schema: policyViewSchema } },
    problems: { 409: 'policy.exists.' },
  })
  async create(@Caller() caller: Principal, @Body() { text }: CreateBody): Promise<PolicyView> {
    const { policy } = await this.commands.execute(new CreatePolicy(caller, text));
    return this.#view(policy);
  }

  @Route('GET', ':id', {
    summary: 'One policy',
    ability: ['read', 'Policy'],
    answers: { 200: { description: 'The policy.', schema: policyViewSchema } },
    problems: UNKNOWN,
  })
  async show(@Param('id') id: string): Promise<PolicyView> {
    return this.#view(await this.#policy(id));
  }

  @Route('GET', ':id/draft', {
    summary: 'The draft',
    ability: ['read', 'Policy'],
    answers: { 200: { description: 'The draft, with its ETag.', schema: draftViewSchema } },
    problems: UNKNOWN,
  })
  async draft(@Param('id') id: string, @Res({ passthrough: true }) reply: Reply): Promise<DraftView> {
    const draft = await this.control.store.policies.draft(id);
    if (draft === null) throw new ApiProblem(404, 'draft.none', 'there is no draft');
    reply.header('etag', entityTag(draft.etag));
    return draftView(draft);
  }

  /** `If-Match` with the tag that was read, or `If-None-Match: *` for a first draft. */
  @Route('PUT', ':id/draft', {
    summary: 'Save the draft, finished or not',
    ability: ['update', 'Policy'],
    body: saveDraftSchema,
    concurrency: 'if-match-or-new',
    answers: { 200: { description: 'The draft, with its new ETag.', schema: draftViewSchema } },
    problems: {
      ...UNKNOWN,
      412: 'draft.changed: somebody else saved it; `current` is what they saved.',
      428: 'If-Match is missing.',
    },
  })
  async save(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { text }: SaveBody,
    @Headers('if-match') tag: string | undefined,
    @Headers('if-none-match') none: string | undefined,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<DraftView> {
    if (tag === undefined && none !== '*')
      throw new ApiProblem(
        428,
        'request.if_match_required',
        'send If-Match with the ETag that you have read, or If-None-Match: *',
      );
    const ifEtag = tag === undefined ? null : versionIn(tag);
    const draft = await this.commands.execute(new SaveDraft(caller, id, text, ifEtag));
    reply.header('etag', entityTag(draft.etag));
    return draftView(draft);
  }

  @Route('DELETE', ':id/draft', {
    summary: 'Throw the draft away',
    ability: ['update', 'Policy'],
    concurrency: 'if-match',
    answers: { 204: { description: 'It is gone.' } },
    problems: UNKNOWN,
  })
  async discard(@Param('id') id: string, @Headers('if-match') tag: string): Promise<void> {
    await this.#policy(id);
    const outcome = await this.control.store.policies.deleteDraft(id, versionIn(tag));
    if (!outcome.ok) throw draftChanged(outcome.current);
  }

  @Route('GET', ':id/revisions', {
    summary: 'All that was ever published, newest first',
    ability: ['read', 'Policy'],
    query: PAGE_QUERY,
    answers: { 200: { description: 'Revisions.', schema: pageSchema(revisionViewSchema) } },
    problems: UNKNOWN,
  })
  async revisions(@Param('id') id: string, @Query() query: PageQuery): Promise<Page<RevisionView>> {
    await this.#policy(id);
    const { items, next } = await this.control.store.policies.revisions(id, query);
    return { items: items.map(revisionView), next };
  }

  @Route('GET', ':id/revisions/:n', {
    summary: 'One revision',
    ability: ['read', 'Policy'],
    params: NUMBER,
    answers: { 200: { description: 'The revision.', schema: revisionViewSchema } },
    problems: UNKNOWN,
  })
  async revision(
    @Param('id') id: string,
    @Param('n') number: string,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<RevisionView> {
    const revision = await this.control.store.policies.revision(id, Number(number));
    if (revision === null) throw unknownRevision();
    reply.header('etag', entityTag(revision.etag));
    return revisionView(revision);
  }

  async #view(policy: PolicyRecord): Promise<PolicyView> {
    const [view] = await this.policyList.views([policy]);
    if (view === undefined) throw unknownPolicy();
    return view;
  }

  async #policy(id: string): Promise<PolicyRecord> {
    const policy = await this.control.store.policies.get(id);
    if (policy === null) throw unknownPolicy();
    return policy;
  }
}
