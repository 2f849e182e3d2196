import { Body, Controller, Headers, Inject, Param, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { WrongStackError } from '@wrongstack/contracts';
import type { CallOutcome } from '@wrongstack/kernel';
import { ApprovalWatch } from '../approvals/approval-watch.js';
import { approvalsByCommand } from '../approvals/approvals-by-command.js';
import { ServerApprovals } from '../approvals/server-approvals.js';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import type { Reply } from '../http/reply.js';
import { Caller, Route } from '../http/route.handler.js';
import { CALL, CALL_EXAMPLE, OUTCOME, type CallBody, taskOptions } from './call-schemas.js';
import { runGovernedCall } from './governed-calls.js';

/**
 * Governed calls: the same journey as anywhere, under what is in force for the caller. A call that others must say yes to is parked: made
 * again, it uses their yes, once.
 */
@Controller('v1/tools')
export class ToolCallsController {
  constructor(
    @Inject(ApiHost) private readonly host: ApiHost,
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApprovalWatch) private readonly watch: ApprovalWatch,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  @Route('POST', ':name/calls', {
    summary: 'Call a tool, now or in the background',
    ability: ['create', 'ToolCall'],
    body: CALL,
    bodyExample: CALL_EXAMPLE,
    idempotency: 'own',
    answers: {
      200: { description: 'It ran. `isError` says how it went.', schema: OUTCOME },
      202: {
        description:
          'It runs in the background as `task`; or it is parked until others have answered `approval`: make the same call again then.',
        schema: OUTCOME,
      },
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
      this.#others(caller),
      name,
      body.input ?? {},
      taskOptions(body, key),
      signal,
    );
    const { status, code } = outcome;
    if (code !== undefined) throw new WrongStackError(code, textOf(outcome));
    if (outcome.task !== null || status === 'parked') reply.status(202);
    else if (status === 'denied') reply.status(403);
    else if (status === 'failed' && outcome.decision === null) reply.status(422);
    else reply.status(200);
    return answerOf(outcome);
  }

  #others(caller: Principal): ServerApprovals {
    const { control, watch, commands, host } = this;
    return new ServerApprovals(
      {
        ...{ control, watch, actions: approvalsByCommand((command) => commands.execute(command)) },
        scrub: (text) => host.scrubber.scrub(text),
        onProgress: () => undefined,
      },
      caller,
      false,
    );
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
  approval,
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
    ...(approval === null ? {} : { approval }),
  };
}

function textOf({ result }: CallOutcome): string {
  return result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
