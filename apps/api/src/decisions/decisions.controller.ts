import { Body, Controller, Header, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { canonicalJson } from '@wrongstack/contracts';
import type { Principal } from '../auth/principal.js';
import type { Schema } from '../http/route-contract.js';
import { Caller, Route } from '../http/route.handler.js';
import { DECISION } from './decision-schemas.js';
import { DecideCall } from './decide-call.command.js';

const CALL: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['tool', 'input'],
  properties: {
    tool: { type: 'string', minLength: 1, maxLength: 200 },
    input: { type: 'object', additionalProperties: true },
  },
};
/** Decisions for those who run calls themselves. */
@Controller('v1/decisions')
export class DecisionsController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Route('POST', '', {
    summary: 'May this call run? The answer is in the audit log before you have it',
    ability: ['create', 'ToolCall'],
    body: CALL,
    bodyExample: { tool: 'bash', input: { command: 'kubectl drain n1' } },
    idempotency: 'own',
    answers: {
      200: {
        description: 'Decided, as for a headless caller; only `allow` means that it may run.',
        schema: DECISION,
      },
    },
    problems: {
      403: 'decision.refused: a hook denies it.',
      422: 'decision.invalid_call: no such tool, or the input does not fit.',
    },
  })
  @Header('content-type', 'application/json; charset=utf-8')
  async decide(
    @Caller() caller: Principal,
    @Body() { tool, input }: { readonly tool: string; readonly input: object },
  ): Promise<string> {
    // The text that was written to the log: it is there already.
    return canonicalJson(await this.commands.execute(new DecideCall(caller, tool, input)));
  }
}
