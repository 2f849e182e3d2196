import { Body, Controller, Inject, Param } from '@nestjs/common';
import type { PolicyTest } from '@wrongstack/policy';
import {
  diffPolicies,
  explainDecision,
  type ExplainView,
  lintPolicies,
  parsePolicyDocument,
  type PolicyDocument,
} from '@wrongstack/policy';
import { type DraftTestReport, draftTestReportSchema } from '@wrongstack/contracts/wire';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import type { Schema } from '../http/route-contract.js';
import { Route } from '../http/route.handler.js';
import { readCentralDocument, testDocument } from './check-policy.js';
import { documentsInForce } from './documents-in-force.js';
import { unknownRevision } from './unknown-policy.js';

/** The draft as it is typed; missing = as it was saved. */
const TYPED: Schema = { type: 'string', maxLength: 1024 * 1024, minLength: 1 };
const TEXT: Schema = { type: 'object', additionalProperties: false, properties: { text: TYPED } };
const DIFF: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    text: TYPED,
    revision: { type: 'integer', minimum: 1, description: 'Missing = the one in force.' },
  },
};
const WHAT_IF: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['call'],
  properties: {
    text: TYPED,
    call: {
      type: 'object',
      additionalProperties: false,
      required: ['tool'],
      properties: { tool: { type: 'string' }, input: { type: 'object' }, cwd: { type: 'string' } },
    },
    principal: { type: 'object' },
    session: { type: 'object' },
  },
};
const ANY_OBJECT: Schema = { type: 'object' };

interface Typed {
  readonly text?: string;
}

interface WhatIfBody extends Typed, Pick<PolicyTest, 'call' | 'principal' | 'session'> {}

/** Tries a draft before anybody has to live with it. Nothing here changes anything. */
@Controller('v1/policies/:id/draft')
export class DraftsController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApiHost) private readonly host: ApiHost,
  ) {}

  @Route('POST', 'validate', {
    summary: 'Whether it is a policy, and what looks like a mistake',
    ability: ['read', 'Policy'],
    body: TEXT,
    answers: { 200: { description: 'It is; findings are advice.', schema: ANY_OBJECT } },
    problems: { 422: 'policy.invalid names the line and the field.' },
  })
  async validate(
    @Param('id') id: string,
    @Body() { text }: Typed,
  ): Promise<{ readonly findings: readonly unknown[] }> {
    const document = await this.#document(id, text);
    return { findings: lintPolicies([document], { clock: this.control.clock }) };
  }

  @Route('POST', 'test', {
    summary: 'Run the tests that it carries',
    ability: ['read', 'Policy'],
    body: TEXT,
    answers: { 200: { description: 'How they went.', schema: draftTestReportSchema } },
  })
  async test(@Param('id') id: string, @Body() { text }: Typed): Promise<DraftTestReport> {
    const results = await this.#tested(await this.#document(id, text));
    return {
      passed: results.every(({ passed }) => passed),
      tests: results.map(({ name, passed, message }) => ({ name, passed, message })),
    };
  }

  @Route('POST', 'diff', {
    summary: 'What it changes, rule by rule',
    ability: ['read', 'Policy'],
    body: DIFF,
    answers: { 200: { description: 'The changes.', schema: ANY_OBJECT } },
  })
  async diff(
    @Param('id') id: string,
    @Body() { text, revision }: Typed & { readonly revision?: number },
  ): Promise<{ readonly changes: readonly unknown[] }> {
    const after = await this.#document(id, text);
    const number = revision ?? (await this.control.store.policies.get(id))?.activeRevision ?? null;
    if (number === null) return { changes: diffPolicies({ ...after, rules: [] }, after) };
    const before = await this.control.store.policies.revision(id, number);
    if (before === null) throw unknownRevision();
    return {
      changes: diffPolicies(await parsePolicyDocument(before.text, { file: `${id} r${number}` }), after),
    };
  }

  @Route('POST', 'what-if', {
    summary: 'How one call would be decided, with every floor and rule that mattered',
    ability: ['read', 'Policy'],
    body: WHAT_IF,
    answers: { 200: { description: 'The decision, explained.', schema: ANY_OBJECT } },
  })
  async whatIf(@Param('id') id: string, @Body() body: WhatIfBody): Promise<ExplainView> {
    const document = await this.#document(id, body.text);
    const { call, principal, session } = body;
    const asked: PolicyTest = {
      name: 'what if',
      call,
      ...(principal === undefined ? {} : { principal }),
      ...(session === undefined ? {} : { session }),
      // Only the decision is looked at.
      expect: { verdict: 'allow' },
    };
    const [result] = await this.#tested({ ...document, tests: [asked] });
    if (result?.decision == null)
      throw new ApiProblem(422, 'request.invalid', `body /call ${result?.message ?? 'cannot be made'}`);
    return explainDecision(result.decision);
  }

  async #document(id: string, typed: string | undefined): Promise<PolicyDocument> {
    const text = typed ?? (await this.control.store.policies.draft(id))?.text;
    if (text === undefined)
      throw new ApiProblem(404, 'draft.none', 'there is no draft: send text, or save one');
    return (await readCentralDocument(text, this.control.organisation)).document;
  }

  async #tested(document: PolicyDocument) {
    return testDocument(document, this.host.kernel.tools.list(), await documentsInForce(this.control.store));
  }
}
