import type { AgentContext, SessionUpdate } from '@agentclientprotocol/sdk';

/** Sends one session's updates in order. A client that has gone away is noticed elsewhere; here it only hears nothing. */
export class SessionUpdates {
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: Pick<AgentContext, 'notify'>,
    private readonly sessionId: string,
  ) {}

  send(...updates: readonly SessionUpdate[]): void {
    for (const update of updates) {
      this.#last = this.client
        .notify('session/update', { sessionId: this.sessionId, update })
        .catch(() => undefined);
    }
  }

  /** Resolves when everything so far is with the client: an answer must not overtake what it answers. */
  async flush(): Promise<void> {
    await this.#last;
  }
}
