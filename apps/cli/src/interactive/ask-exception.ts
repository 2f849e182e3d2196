import { WrongStackError, type Decision } from '@wrongstack/contracts';
import type { Host } from '../app/host.js';

const KEPT = 100;

/** Denials of this session, so that a person can ask for an exception from one. */
export class RecentDenials {
  readonly #decisions = new Map<string, Decision>();

  constructor(host: Pick<Host, 'kernel'>) {
    host.kernel.events.on('tool.decided', ({ decision }) => {
      if (decision.verdict !== 'deny') return;
      this.#decisions.set(decision.id, decision);
      for (const id of this.#decisions.keys()) if (this.#decisions.size > KEPT) this.#decisions.delete(id);
    });
  }

  get(id: string): Decision | null {
    return this.#decisions.get(id) ?? null;
  }
}

/** `/policy ask d-… "reason"`. Throws `exception.none` where there is nothing that anybody could except from. */
export async function askException(
  { centre }: Pick<Host, 'centre'>,
  denials: RecentDenials,
  id: string | undefined,
  words: readonly string[],
): Promise<string> {
  const decision = id === undefined ? null : denials.get(id);
  const reason = words
    .join(' ')
    .replace(/^"(.*)"$/s, '$1')
    .trim();
  if (decision === null)
    throw none(`no denial ${id ?? ''} in this session`, '/policy ask d-… "reason", as the denial says');
  if (reason === '') throw none('no reason', `/policy ask ${decision.id} "why you need it"`);
  if (centre === null || centre.identity === null) throw none('nobody can be asked', 'wstack login');
  const { by, facts } = decision;
  if (by.kind !== 'rule' || by.document === undefined || by.revision === undefined || !isCentral(by.tier)) {
    throw none(`${decision.id} was not denied by a central rule`, 'only those have exceptions');
  }
  const { command } = facts;
  const asked = await centre.client.requestException(
    {
      decision: decision.id,
      tool: facts.tool,
      title:
        command === null || command === 'unknown'
          ? facts.tool
          : `${facts.tool} ${command.text}`.slice(0, 4000),
      digest: decision.approvalDigest,
      rule: by.id,
      document: by.document,
      revision: by.revision,
      facts,
      reason: reason.slice(0, 2000),
      wantedUntil: null,
    },
    AbortSignal.timeout(15_000),
  );
  return `asked for an exception from ${by.id}: ${asked.id}`;
}

function isCentral(tier: string | undefined): boolean {
  return tier === 'org' || tier === 'team';
}

function none(message: string, hint: string): WrongStackError {
  return new WrongStackError('exception.none', message, { hint });
}
