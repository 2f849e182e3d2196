import { Body, Controller, Headers, Inject, Param, Res } from '@nestjs/common';
import { WrongStackError } from '@wrongstack/contracts';
import type { CallOutcome } from '@wrongstack/kernel';
import type { Principal } from '../auth/principal.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import type { Reply } from '../http/reply.js';
import { Caller, Route } from '../http/route.handler.js';
import { CALL, CALL_EXAMPLE, OUTCOME, type CallBody, taskOptions } from './call-schemas.js';
import { runGovernedCall } from './governed-calls.js';

/** Governed calls: the same journey as anywhere, under the policies of this machine, with nobody to ask. */
@Controller('v1/tools')
export class ToolCallsController {
  constructor(@Inject(ApiHost) private readonly host: ApiHost) {}

  @Route('POST', ':name/calls', {
    summary: 'Call a tool, now or in the background',
    ability: ['create', 'ToolCall'],
    body: CALL,
    bodyExample: CALL_EXAMPLE,
    idempotency: 'own',
    answers: {
      200: { description: 'It ran. `isError` says how it went.', schema: OUTCOME },
      202: { description: 'It runs in the background as `task`.', schema: OUTCOME },
      403: { description: 'Denied by policy: the outcome, with the rule.', schema: OUTCOME },
      422: { description: 'The input does not fit the tool: the outcome says how.', schema: OUTCOME },
    },
    problems: { 404: 'No such tool.' },
  })
  async call(
    @Caller() caller: Principal,
    @Param('name') name: string,
    @Body() body: CallBody,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<Record<string, unknown>> {
    if (this.host.kernel.tools.get(name) === undefined)
      throw new ApiProblem(404, 'tool.unknown', 'there is no such tool');
    const { signal } = new AbortController();
    const outcome = await runGovernedCall(
      this.host,
      caller,
      name,
      body.input ?? {},
      taskOptions(body, key),
      signal,
    );
    const { status, code } = outcome;
    if (code !== undefined) throw new WrongStackError(code, textOf(outcome));
    if (outcome.task !== null) reply.status(202);
    else if (status === 'denied') reply.status(403);
    else if (status === 'failed' && outcome.decision === null) reply.status(422);
    else reply.status(200);
    return answerOf(outcome);
  }
}

function answerOf({
  call,
  name,
  status,
  result,
  decision,
  truncated,
  task,
}: CallOutcome): Record<string, unknown> {
  return {
    call,
    tool: name,
    status,
    isError: result.isError,
    output: result.content,
    truncated,
    decision:
      decision === null ? null : { id: decision.id, verdict: decision.verdict, because: decision.because },
    ...(task === null ? {} : { task }),
  };
}

function textOf({ result }: CallOutcome): string {
  return result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
