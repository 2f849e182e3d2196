import { Body, Controller, Inject } from '@nestjs/common';
import { MAX_POLICY_BYTES, parts } from '@wrongstack/contracts/wire';
import { type ExplainView, parsePolicyDocument, type PolicyDocument } from '@wrongstack/policy';
import { ControlPlane } from '../control/control-plane.js';
import { EXPLANATION } from '../decisions/decision-schemas.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import { Route } from '../http/route.handler.js';
import { readCentralDocument } from './check-policy.js';
import { documentsInForce } from './documents-in-force.js';
import { unknownPolicy, unknownRevision } from './unknown-policy.js';
import { type ImaginedCall, whatIf } from './what-if.js';

const { anyObject, closed, flag, list, text, whole } = parts;
const NAME = text(200);

const QUESTION = closed(
  { call: closed({ tool: NAME }, { input: anyObject, cwd: text(4000) }) },
  {
    who: closed(
      {},
      {
        ...{ org: NAME, team: NAME, user: NAME, agent: NAME, plugin: NAME },
        role: list(NAME, 20),
        subagent: flag,
      },
    ),
    session: closed({}, { interactive: flag, yolo: flag, sandboxed: flag, background: flag }),
    document: {
      ...closed({ policy: NAME }, { text: text(MAX_POLICY_BYTES), revision: whole(1) }),
      description:
        'In the place of what is in force of this policy: a text, a revision, or with neither the saved draft.',
    },
  },
);

interface Question {
  readonly call: ImaginedCall['call'];
  readonly who?: ImaginedCall['principal'];
  readonly session?: ImaginedCall['session'];
  readonly document?: { readonly policy: string; readonly text?: string; readonly revision?: number };
}

/** What would happen, before it does. */
@Controller('v1/what-if')
export class WhatIfController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApiHost) private readonly host: ApiHost,
  ) {}

  @Route('POST', '', {
    summary: 'How a call would be decided, with every floor and rule that mattered',
    ability: ['read', 'Policy'],
    body: QUESTION,
    bodyExample: {
      call: { tool: 'bash', input: { command: 'kubectl drain n1' } },
      who: { team: 'payments', user: 'dana' },
      document: { policy: 'payments' },
    },
    answers: {
      200: {
        description: 'The decision, explained. Nothing ran and nothing was recorded.',
        schema: EXPLANATION,
      },
    },
    problems: {
      404: 'policy.unknown, revision.unknown or draft.none.',
      422: 'policy.invalid names the line and the field; request.invalid: there is no such tool.',
    },
  })
  async ask(@Body() { call, who, session, document }: Question): Promise<ExplainView> {
    const inForce = await documentsInForce(this.control.store);
    const tried = document === undefined ? null : await this.#tried(document);
    const documents =
      document === undefined || tried === null
        ? inForce
        : [...inForce.filter(({ metadata }) => metadata.id !== document.policy), tried];
    const asked = {
      call,
      ...(who === undefined ? {} : { principal: who }),
      ...(session === undefined ? {} : { session }),
    };
    return whatIf(asked, documents, this.host.kernel.tools.list());
  }

  async #tried({ policy, text, revision }: NonNullable<Question['document']>): Promise<PolicyDocument> {
    const { policies } = this.control.store;
    if (text !== undefined) return (await readCentralDocument(text, this.control.organisation)).document;
    if ((await policies.get(policy)) === null) throw unknownPolicy();
    if (revision === undefined) {
      const draft = await policies.draft(policy);
      if (draft === null)
        throw new ApiProblem(404, 'draft.none', 'there is no draft: send its text, or a revision');
      return (await readCentralDocument(draft.text, this.control.organisation)).document;
    }
    const found = await policies.revision(policy, revision);
    if (found === null) throw unknownRevision();
    return parsePolicyDocument(found.text, { file: `${policy} r${revision}` });
  }
}
