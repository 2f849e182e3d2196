import { Body, Controller, Inject, Param } from '@nestjs/common';
import { diffPolicies, lintPolicies, parsePolicyDocument, type PolicyDocument } from '@wrongstack/policy';
import type { LintFinding, PolicyChange } from '@wrongstack/policy';
import { type DraftTestReport, draftTestReportSchema } from '@wrongstack/contracts/wire';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import { Route } from '../http/route.handler.js';
import { readCentralDocument, testDocument } from './check-policy.js';
import { type CheckedDraft, checkDraft } from './check-draft.js';
import { documentsInForce } from './documents-in-force.js';
import { CHANGES, CHECKED, DIFF_BODY, FINDINGS, TYPED_BODY } from './draft-schemas.js';
import { unknownRevision } from './unknown-policy.js';

interface Typed {
  readonly text?: string;
}

const NO_DRAFT = { 404: 'draft.none: there is no draft, and no text was sent.' };
const INVALID = { ...NO_DRAFT, 422: 'policy.invalid names the line and the field.' };

/** Tries a draft before anybody has to live with it. Nothing here changes anything. */
@Controller('v1/policies/:id/draft')
export class DraftsController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApiHost) private readonly host: ApiHost,
  ) {}

  @Route('POST', 'check', {
    summary: 'All that can be said about it while it is typed: problems, findings and how its tests go',
    ability: ['read', 'Policy'],
    body: TYPED_BODY,
    answers: {
      200: { description: 'Also where it is no policy: then `problems` says why.', schema: CHECKED },
    },
    problems: NO_DRAFT,
  })
  async check(@Param('id') id: string, @Body() { text }: Typed): Promise<CheckedDraft> {
    const tools = this.host.kernel.tools.list();
    return checkDraft(this.control, tools, id, await this.#text(id, text));
  }

  @Route('POST', 'validate', {
    summary: 'Whether it is a policy, and what looks like a mistake',
    ability: ['read', 'Policy'],
    body: TYPED_BODY,
    answers: { 200: { description: 'It is; findings are advice.', schema: FINDINGS } },
    problems: INVALID,
  })
  async validate(
    @Param('id') id: string,
    @Body() { text }: Typed,
  ): Promise<{ readonly findings: readonly LintFinding[] }> {
    const document = await this.#document(id, text);
    return { findings: lintPolicies([document], { clock: this.control.clock }) };
  }

  @Route('POST', 'test', {
    summary: 'Run the tests that it carries',
    ability: ['read', 'Policy'],
    body: TYPED_BODY,
    answers: { 200: { description: 'How they went.', schema: draftTestReportSchema } },
    problems: INVALID,
  })
  async test(@Param('id') id: string, @Body() { text }: Typed): Promise<DraftTestReport> {
    const beside = await documentsInForce(this.control.store);
    return testDocument(await this.#document(id, text), this.host.kernel.tools.list(), beside);
  }

  @Route('POST', 'diff', {
    summary: 'What it changes, rule by rule',
    ability: ['read', 'Policy'],
    body: DIFF_BODY,
    answers: { 200: { description: 'The changes.', schema: CHANGES } },
    problems: { ...INVALID, 404: 'draft.none, or no such revision.' },
  })
  async diff(
    @Param('id') id: string,
    @Body() { text, revision }: Typed & { readonly revision?: number },
  ): Promise<{ readonly changes: readonly PolicyChange[] }> {
    const after = await this.#document(id, text);
    const number = revision ?? (await this.control.store.policies.get(id))?.activeRevision ?? null;
    if (number === null) return { changes: diffPolicies({ ...after, rules: [] }, after) };
    const before = await this.control.store.policies.revision(id, number);
    if (before === null) throw unknownRevision();
    return {
      changes: diffPolicies(await parsePolicyDocument(before.text, { file: `${id} r${number}` }), after),
    };
  }

  async #text(id: string, typed: string | undefined): Promise<string> {
    const text = typed ?? (await this.control.store.policies.draft(id))?.text;
    if (text !== undefined) return text;
    throw new ApiProblem(404, 'draft.none', 'there is no draft: send text, or save one');
  }

  async #document(id: string, typed: string | undefined): Promise<PolicyDocument> {
    return (await readCentralDocument(await this.#text(id, typed), this.control.organisation)).document;
  }
}
