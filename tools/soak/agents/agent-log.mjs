import { randomBytes } from 'node:crypto';
import { canonicalJson, sha256 } from '../../../libs/contracts/dist/index.js';

/** The chained log of one agent process: what it ships, and how much of it was acknowledged. */
export class AgentLog {
  source = `a-${randomBytes(8).toString('hex')}`;
  /** Records that a receipt covers. */
  acknowledged = 0;
  #prev = null;
  #seq = 0;

  /** The next batch; the same again until it was acknowledged. */
  batch(count) {
    this.waiting ??= this.#make(count);
    return this.waiting;
  }

  take({ acknowledged, flagged }) {
    if (flagged) throw new Error(`${this.source} was flagged`);
    if (acknowledged !== this.#seq - 1)
      throw new Error(`the receipt says ${acknowledged} and not ${this.#seq - 1}`);
    this.acknowledged = this.#seq;
    this.waiting = null;
  }

  #make(count) {
    const [first, prev] = [this.#seq, this.#prev];
    const records = Array.from({ length: count }, () => {
      const [seq, entry] = [this.#seq, decision(`${this.source}-${this.#seq}`)];
      const hash = sha256(canonicalJson({ v: 1, chain: this.source, seq, prev: this.#prev, entry }));
      [this.#seq, this.#prev] = [seq + 1, hash];
      return { seq, hash, entry };
    });
    return { source: this.source, first, prev, records };
  }
}

function decision(id) {
  return {
    ...{ kind: 'decision', ts: new Date().toISOString(), session: 's-1', run: 'r-1', call: id },
    decision: {
      ...{ id, verdict: 'allow', demanded: 'allow', by: { kind: 'tool', id: 'read' } },
      ...{ because: 'the tool allows it', floors: [], matches: [] },
      facts: { tool: 'read', actor: { user: { name: 'soak', authenticated: true } } },
    },
  };
}
