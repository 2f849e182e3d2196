import { randomBytes, randomInt } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow, WrongStackError } from '@wrongstack/contracts';
import { type StartEnrolment as StartEnrolmentBody, type StartedEnrolment } from '@wrongstack/contracts/wire';
import { ControlPlane } from '../control/control-plane.js';
import { hashSecret } from '../identity/credential.js';

const MINUTES = 15;
const INTERVAL_SECONDS = 3;
/** Without vowels, and without what looks alike. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const TRIES = 5;

/** A device asks to be let in; nobody has vouched for it yet. */
export class StartEnrolment extends Command<StartedEnrolment> {
  constructor(readonly body: StartEnrolmentBody) {
    super();
  }
}

@CommandHandler(StartEnrolment)
export class StartEnrolmentHandler implements ICommandHandler<StartEnrolment> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  async execute({ body }: StartEnrolment): Promise<StartedEnrolment> {
    const { store, clock, url } = this.control;
    const deviceCode = `wsd_${randomBytes(32).toString('base64url')}`;
    const expiresAt = new Date(clock.now() + MINUTES * 60_000).toISOString();
    for (let tries = 0; tries < TRIES; tries++) {
      const userCode = newUserCode();
      const { name, host, version, platform } = body.client;
      const added = await store.agents.addEnrolment({
        deviceHash: hashSecret(deviceCode),
        userCode,
        refreshHash: body.refreshHash.replace(/^sha256:/, ''),
        device: { name, host, version, platform },
        createdAt: isoNow(clock),
        expiresAt,
        state: { is: 'pending' },
      });
      if (!added) continue;
      return {
        deviceCode,
        userCode,
        verificationUri: `${url}/console/enrol`,
        verificationUriComplete: `${url}/console/enrol?code=${userCode}`,
        expiresAt,
        intervalSeconds: INTERVAL_SECONDS,
      };
    }
    throw new WrongStackError('store.busy', 'no free code was found: try again');
  }
}

function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
