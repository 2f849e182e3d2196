import type { ServerResponse } from 'node:http';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { McpOffer } from './mcp-offer.js';

/** One connection of the protocol over HTTP. */
export interface HttpSession {
  readonly subject: string;
  readonly transport: StreamableHTTPServerTransport;
  readonly offer: McpOffer;
}

export interface SessionBounds {
  /** Of one identity; of those that answer nothing now, the one unused for longest gives way. */
  readonly most: number;
  /** How long nobody may speak in a session, without a stream open, before it ends. */
  readonly idleMs: number;
  readonly now: () => number;
}

interface Kept extends HttpSession {
  usedAt: number;
  /** Answers and streams that are open. */
  open: number;
  /** Of them, answers to calls. */
  atWork: number;
}

const LOOKS = 10;

/** The sessions that are open. A client that went away without a word leaves one behind: it gives way, or ends in time. */
export class HttpSessions {
  readonly #kept = new Map<string, Kept>();
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly bounds: SessionBounds) {}

  /** Null for an unknown id, and for one of another identity: whoever learns an id has nothing of it. */
  find(id: string, subject: string): HttpSession | null {
    const known = this.#kept.get(id);
    return known?.subject === subject ? known : null;
  }

  add(id: string, session: HttpSession): void {
    this.#kept.set(id, { ...session, usedAt: this.bounds.now(), open: 0, atWork: 0 });
    this.#timer ??= setInterval(() => void this.#endIdle(), this.bounds.idleMs / LOOKS).unref();
  }

  /** The session is in use until this answer is over. `call`: not only listened to. */
  use(id: string, response: ServerResponse, call: boolean): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    kept.open += 1;
    if (call) kept.atWork += 1;
    kept.usedAt = this.bounds.now();
    response.once('close', () => {
      kept.open -= 1;
      if (call) kept.atWork -= 1;
      kept.usedAt = this.bounds.now();
    });
  }

  forget(id: string): void {
    this.#kept.delete(id);
  }

  /** Room for one more of this identity; false where all are at work: none of them is cut off for a newcomer. */
  async makeRoom(subject: string): Promise<boolean> {
    const own = [...this.#kept].filter(([, one]) => one.subject === subject);
    if (own.length < this.bounds.most) return true;
    const [oldest] = own.filter(([, { atWork }]) => atWork === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest === undefined) return false;
    await this.#end(...oldest);
    return true;
  }

  async closeAll(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await Promise.allSettled([...this.#kept].map((one) => this.#end(...one)));
  }

  async #endIdle(): Promise<void> {
    const since = this.bounds.now() - this.bounds.idleMs;
    const idle = [...this.#kept].filter(([, { open, usedAt }]) => open === 0 && usedAt <= since);
    await Promise.allSettled(idle.map((one) => this.#end(...one)));
  }

  async #end(id: string, { transport, offer }: Kept): Promise<void> {
    this.#kept.delete(id);
    await transport.close();
    await offer.close();
  }
}
