import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Decision, isoNow, newId, silentLogger, type ToolUseBlock } from '@wrongstack/contracts';
import { processPathLocks, ReadRecords, RunContext } from '@wrongstack/kernel';
import path from 'node:path';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import { actorOf, HEADLESS } from '../tools/governed-calls.js';
import { DecisionTrail } from './decision-trail.js';

/** Decides about a call that somebody else will run, and keeps the decision before it is given. */
export class DecideCall extends Command<Decision> {
  constructor(
    readonly by: Principal,
    readonly tool: string,
    readonly input: object,
  ) {
    super();
  }
}

const NO_LOG = { append: async (): Promise<void> => undefined };

@CommandHandler(DecideCall)
export class DecideCallHandler implements ICommandHandler<DecideCall> {
  /** One for all: nothing runs, so nothing is ever kept in it. */
  readonly #origin = { session: newId('SessionId'), run: newId('RunId'), agent: 'main' } as const;
  readonly #context: RunContext;

  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApiHost) private readonly host: ApiHost,
    @Inject(DecisionTrail) private readonly trail: DecisionTrail,
  ) {
    const { projectRoot, agentHome, scrubber } = host;
    const { session, run } = this.#origin;
    this.#context = new RunContext({
      cwd: projectRoot,
      projectRoot,
      // Nobody is told its name, and nothing is ever there.
      scratchDir: path.join(agentHome, 'scratch', session),
      dataDir: agentHome,
      sessionId: session,
      runId: run,
      meta: {},
      log: silentLogger,
      entries: NO_LOG,
      scrubber,
      reads: new ReadRecords(),
      locks: processPathLocks,
    });
  }

  async execute({ by, tool, input }: DecideCall): Promise<Decision> {
    const use: ToolUseBlock = { type: 'tool_use', id: newId('CallId'), name: tool, input };
    const decided = await this.host.kernel.executor.decide(
      use,
      this.#scopeOf(by),
      new AbortController().signal,
    );
    if ('stop' in decided) {
      throw decided.stop === 'denied'
        ? new ApiProblem(403, 'decision.refused', decided.message)
        : new ApiProblem(422, 'decision.invalid_call', decided.message);
    }
    this.host.tracing?.decided(decided.decision);
    await this.trail.record(by, use.id, decided.decision, isoNow(this.control.clock));
    return decided.decision;
  }

  #scopeOf(by: Principal): Parameters<ApiHost['kernel']['executor']['decide']>[1] {
    return {
      origin: this.#origin,
      context: this.#context,
      actor: actorOf(by),
      session: () => HEADLESS,
      log: NO_LOG,
    };
  }
}
