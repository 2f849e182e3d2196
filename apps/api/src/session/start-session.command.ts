import { randomBytes } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { WrongStackError } from '@wrongstack/contracts';
import type { SessionRecord } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { hashSecret } from '../identity/credential.js';
import { IDLE_MS, SESSION_MS } from './session-authenticator.js';
import { newSecret } from './session-cookie.js';

/** Browsers of one person at a time; the oldest gives way. */
const MOST_SESSIONS = 20;
const ID_BYTES = 8;

export interface StartedSession {
  readonly session: SessionRecord;
  /** The only time that it is there to be seen. */
  readonly secret: string;
}

/** Always a new secret: whatever cookie the browser had before is never the one that is signed in. `before`: that one's, which ends here. */
export class StartSession extends Command<StartedSession> {
  constructor(
    readonly person: Principal,
    readonly proof: SessionRecord['proof'],
    readonly before: string | null,
  ) {
    super();
  }
}

@CommandHandler(StartSession)
export class StartSessionHandler implements ICommandHandler<StartSession> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  async execute({ person, proof, before }: StartSession): Promise<StartedSession> {
    const { store, clock } = this.control;
    const now = clock.now();
    const at = new Date(now).toISOString();
    const secret = newSecret();
    const session: SessionRecord = {
      id: randomBytes(ID_BYTES).toString('hex'),
      secretHash: hashSecret(secret),
      user: person.user,
      proof,
      createdAt: at,
      expiresAt: new Date(now + SESSION_MS).toISOString(),
      lastSeenAt: at,
    };
    await store.transaction(async (tx) => {
      const replaced = before === null ? null : await tx.sessions.get(hashSecret(before));
      if (replaced !== null) await tx.sessions.remove(replaced.id);
      if (!(await tx.sessions.add(session)))
        throw new WrongStackError('store.conflict', 'this session id is taken: try again');
      const known = await tx.sessions.ofUser(person.user, MOST_SESSIONS * 5);
      for (const { id } of known.slice(MOST_SESSIONS)) await tx.sessions.remove(id);
      await recordAction(tx, person, 'session.started', { session: session.id, with: proof.kind }, at);
    });
    await store.sessions.prune(at, new Date(now - IDLE_MS).toISOString());
    return { session, secret };
  }
}
