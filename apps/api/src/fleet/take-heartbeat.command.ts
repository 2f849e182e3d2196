import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { Heartbeat } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { SharedHeartbeats } from './shared-heartbeats.js';

/** What an agent says about itself. It is no change of the control plane, and stands in no log: the next word replaces it. */
export class TakeHeartbeat extends Command<void> {
  constructor(
    readonly by: Principal,
    readonly heartbeat: Heartbeat,
  ) {
    super();
  }
}

@CommandHandler(TakeHeartbeat)
export class TakeHeartbeatHandler implements ICommandHandler<TakeHeartbeat> {
  readonly #shared: SharedHeartbeats;

  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {
    this.#shared = new SharedHeartbeats(control.store.fleet);
  }

  async execute({ by, heartbeat }: TakeHeartbeat): Promise<void> {
    const { clock } = this.control;
    const { version, platform, bundle, state, policyVersions, auditPending, refused } = heartbeat;
    const [team = null] = by.teams;
    await this.#shared.record({
      ...{ team, version, platform, bundle, policyVersions, refused },
      agent: by.id,
      at: isoNow(clock),
      policyState: state,
      spooled: auditPending,
      clockSkewMs: skewOf(heartbeat.time, clock.now()),
    });
  }
}

function skewOf(time: string | undefined, now: number): number {
  if (time === undefined) return 0;
  const skew = Date.parse(time) - now;
  if (Number.isNaN(skew)) throw new ApiProblem(422, 'request.invalid', 'body /time is no date and time');
  return skew;
}
