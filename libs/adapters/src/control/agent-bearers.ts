import { type Clock, sha256, WrongStackError } from '@wrongstack/contracts';
import type { WhoAmI } from '@wrongstack/contracts/wire';
import { ControlProblem, exchange } from './control-http.js';

/** Whose a bearer is. `no-agent`: a person's or a service's. `unknown`: nobody's that stands. */
export type BearersOwner =
  { readonly kind: 'agent'; readonly agent: VerifiedAgent } | { readonly kind: 'no-agent' | 'unknown' };

/** An enrolled agent as the server knows it now. */
export interface VerifiedAgent extends Pick<WhoAmI, 'principal' | 'organisation'> {
  readonly id: string;
  readonly name: string;
  /** Whose policies bind it: `org` or `team:<name>`. */
  readonly scope: string;
}

interface Known {
  readonly owner: Promise<BearersOwner>;
  readonly until: number;
}

/** Tokens that a control plane issues; nothing else is ever sent to it. */
const ISSUED = /^ws[ta]_[\w-]{1,200}$/;
/** How long it may go unnoticed that a bearer was revoked. */
const KEPT_MS = 10_000;
const MOST_KNOWN = 1_000;
const TIMEOUT_MS = 5_000;

/** Asks the server whose a bearer is that somebody presents here. What cannot be asked is nobody's: it throws. */
export class AgentBearers {
  readonly #known = new Map<string, Known>();

  constructor(
    private readonly server: string,
    private readonly clock: Clock,
  ) {}

  /** Throws what `exchange` throws where the server gives no answer; nothing is remembered of that. */
  ownerOf(bearer: string): Promise<BearersOwner> {
    if (!ISSUED.test(bearer)) return Promise.resolve({ kind: 'unknown' });
    // The whole bearer, hashed: no secret is kept, and no part of one finds anything.
    const key = sha256(bearer);
    const now = this.clock.now();
    const known = this.#known.get(key);
    if (known !== undefined && known.until > now) return known.owner;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const owner = this.#ask(bearer);
    this.#known.set(key, { owner, until: now + KEPT_MS });
    owner.catch(() => this.#known.delete(key));
    return owner;
  }

  async #ask(bearer: string): Promise<BearersOwner> {
    const headers = { authorization: `Bearer ${bearer}` };
    const request = { path: 'whoami', headers, timeoutMs: TIMEOUT_MS };
    try {
      const { body } = await exchange(this.server, request, new AbortController().signal);
      return readOwner(body);
    } catch (error) {
      if (error instanceof ControlProblem && (error.status === 401 || error.status === 403))
        return { kind: 'unknown' };
      throw error;
    }
  }
}

function readOwner(body: unknown): BearersOwner {
  const { agent, principal, organisation, scope } = (body ?? {}) as Partial<WhoAmI>;
  if (agent === null) return { kind: 'no-agent' };
  const texts = [agent?.id, agent?.name, principal?.id, principal?.name, organisation, scope];
  const complete = texts.every((text) => typeof text === 'string' && text !== '');
  const lists = [principal?.teams, principal?.roles].every((list) => Array.isArray(list));
  if (!complete || !lists || agent === undefined || principal === undefined)
    throw new WrongStackError('control.bad_answer', 'the server did not say whose the bearer is');
  // Checked above.
  const [known, team] = [organisation as string, scope as string];
  return { kind: 'agent', agent: { ...agent, principal, organisation: known, scope: team } };
}
