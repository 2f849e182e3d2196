import { canonicalJson, sha256 } from '@wrongstack/contracts';

/** The log of one client process, as it ships it. */
export class ClientLog {
  #prev: string | null = null;
  #seq = 0;

  constructor(readonly source: string) {}

  batch(entries: readonly object[]) {
    const prev = this.#prev;
    const first = this.#seq;
    const records = entries.map((entry) => {
      const seq = this.#seq;
      const hash: string = sha256(canonicalJson({ v: 1, chain: this.source, seq, prev: this.#prev, entry }));
      this.#seq += 1;
      this.#prev = hash;
      return { seq, hash, entry };
    });
    return { source: this.source, first, prev, records };
  }
}

/** A decision with as much as the server reads of it. */
export function decisionEntry(change: Record<string, unknown> = {}, ts = new Date().toISOString()): object {
  return {
    kind: 'decision',
    ts,
    session: 's-1',
    run: 'r-1',
    call: 'c-1',
    decision: {
      id: 'd-1',
      verdict: 'allow',
      demanded: 'allow',
      by: { kind: 'tool', id: 'read' },
      because: 'the tool allows it',
      floors: [],
      matches: [],
      facts: { tool: 'read', actor: { user: { name: 'somebody-else', authenticated: true } } },
      ...change,
    },
  };
}
