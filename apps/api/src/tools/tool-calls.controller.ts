import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Body, Controller, Headers, Inject, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  newId,
  silentLogger,
  WrongStackError,
  type ActorFacts,
  type TaskOptions,
  type ToolUseBlock,
} from '@wrongstack/contracts';
import { type CallOutcome, processPathLocks, ReadRecords, RunContext } from '@wrongstack/kernel';
import { AuthenticatedGuard, callerOf } from '../auth/authentication.handler.js';
import type { CallerIdentity } from '../auth/authenticator.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import { readCall } from './read-call.js';

interface Request {
  readonly caller?: CallerIdentity;
  readonly raw: { once(event: 'close', listener: () => void): unknown; readonly destroyed: boolean };
}

/** Governed calls: the same journey as anywhere, under the policies of this machine, with nobody to ask. */
@Controller('v1/tools')
@UseGuards(AuthenticatedGuard)
export class ToolCallsController {
  constructor(@Inject(ApiHost) private readonly host: ApiHost) {}

  @Post(':name/calls')
  async call(
    @Param('name') name: string,
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: { status(code: number): unknown },
  ): Promise<Record<string, unknown>> {
    const { input, options } = readCall(body, key);
    if (this.host.kernel.tools.get(name) === undefined)
      throw new ApiProblem(404, 'tool.unknown', 'there is no such tool');
    const outcome = await this.#run(callerOf(request), name, input, options);
    const { status, code } = outcome;
    if (code !== undefined) throw new WrongStackError(code, textOf(outcome));
    if (outcome.task !== null) reply.status(202);
    else if (status === 'denied') reply.status(403);
    else if (status === 'failed' && outcome.decision === null) reply.status(422);
    else reply.status(200);
    return answerOf(outcome);
  }

  async #run(caller: CallerIdentity, name: string, input: unknown, task: TaskOptions): Promise<CallOutcome> {
    const { kernel, projectRoot, agentHome } = this.host;
    const session = newId('SessionId');
    const run = newId('RunId');
    const scratchDir = path.join(agentHome, 'scratch', session);
    await mkdir(scratchDir, { recursive: true, mode: 0o700 });
    const log = { append: async (): Promise<void> => undefined };
    const context = new RunContext({
      cwd: projectRoot,
      projectRoot,
      scratchDir,
      dataDir: agentHome,
      sessionId: session,
      runId: run,
      meta: {},
      log: silentLogger,
      entries: log,
      scrubber: this.host.scrubber,
      reads: new ReadRecords(),
      locks: processPathLocks,
    });
    const use: ToolUseBlock = { type: 'tool_use', id: newId('CallId'), name, input };
    const scope = {
      origin: { session, run, agent: 'main' },
      context,
      actor: actorOf(caller),
      session: () => HEADLESS,
      log,
      taskOwner: { ...caller, session },
    };
    try {
      return await kernel.executor.execute(use, scope, new AbortController().signal, { task });
    } finally {
      await context.end();
    }
  }
}

const HEADLESS = {
  mode: 'default',
  interactive: false,
  yolo: false,
  sandboxed: false,
  remoteApprovals: false,
} as const;

function actorOf({ tenant, user }: CallerIdentity): ActorFacts {
  return {
    org: tenant === null ? null : { name: tenant, authenticated: true },
    team: null,
    user: { name: user, authenticated: true },
    roles: [],
    agent: { name: 'wrongstack-api', authenticated: true },
    plugin: null,
    subagentDepth: 0,
    subagent: null,
    ceiling: null,
    parent: null,
  };
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
