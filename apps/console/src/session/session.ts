import { Signal } from '../client/signal.js';
import { connection } from '../client/connection.js';
import { away, ProblemError, problemIn } from '../client/problem.js';
import type { Credentials } from '../client/send.js';
import type { SessionView, SignInWays } from './session-view.js';

/** `ended`: it was there and is over; what the person had open stays, behind the dialog. */
export type SessionState =
  | { readonly is: 'unknown' }
  | { readonly is: 'unreachable'; readonly because: ProblemError }
  | { readonly is: 'signed-out' }
  | { readonly is: 'signed-in'; readonly session: SessionView }
  | { readonly is: 'ended'; readonly session: SessionView };

const ROUTE = '/v1/session';
/** What one tab tells the others. */
const CHANNEL = 'wrongstack-session';

/** Who uses this tab. Knows the API's session routes and nothing else of it. */
export class Session implements Credentials {
  readonly state = new Signal<SessionState>({ is: 'unknown' });
  readonly #tabs = new BroadcastChannel(CHANNEL);

  constructor() {
    this.#tabs.addEventListener('message', () => void this.look());
  }

  csrf(): string | null {
    const { value } = this.state;
    return value.is === 'signed-in' ? (value.session.session?.csrf ?? null) : null;
  }

  /** Asks the API who this is. */
  async look(): Promise<void> {
    try {
      const response = await this.#send('GET', ROUTE);
      // The API's own document says that this is its shape.
      this.#signedIn((await response.json()) as SessionView);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.status === 401) this.#over();
      else if (this.state.value.is === 'unknown' || this.state.value.is === 'unreachable')
        this.state.set({ is: 'unreachable', because: error });
    }
  }

  async signIn(token: string): Promise<void> {
    const response = await this.#send('POST', ROUTE, { token });
    this.#signedIn((await response.json()) as SessionView);
    this.announce();
  }

  /** Tells the other tabs to look: somebody signed in here. */
  announce(): void {
    this.#tabs.postMessage('signed-in');
  }

  async signOut(): Promise<void> {
    await this.#send('DELETE', ROUTE).catch((error: unknown) => {
      // It is over already: that is what was wanted.
      if (!(error instanceof ProblemError && error.status === 401)) throw error;
    });
    this.state.set({ is: 'signed-out' });
    this.#tabs.postMessage('signed-out');
  }

  /** Leaves what is open behind: the person would rather not sign in again. */
  giveUp(): void {
    this.state.set({ is: 'signed-out' });
  }

  async ways(): Promise<SignInWays> {
    const response = await this.#send('GET', `${ROUTE}/sign-in`);
    return (await response.json()) as SignInWays;
  }

  /** A stream or a request heard that the session is over. */
  ended(): void {
    this.#over();
  }

  async renewed(): Promise<boolean> {
    this.#over();
    const { is } = await this.state.until((state) => state.is === 'signed-in' || state.is === 'signed-out');
    return is === 'signed-in';
  }

  async refreshed(): Promise<boolean> {
    const before = this.csrf();
    await this.look();
    return this.csrf() !== null && this.csrf() !== before;
  }

  #signedIn(session: SessionView): void {
    const { value } = this.state;
    // Somebody else's screen is not shown to whoever comes next.
    if (value.is === 'ended' && value.session.user.id !== session.user.id) location.reload();
    else this.state.set({ is: 'signed-in', session });
  }

  #over(): void {
    const { value } = this.state;
    if (value.is === 'signed-in') this.state.set({ is: 'ended', session: value.session });
    else if (value.is !== 'ended') this.state.set({ is: 'signed-out' });
  }

  async #send(method: string, url: string, body?: unknown): Promise<Response> {
    const csrf = this.csrf();
    const headers: Record<string, string> = {};
    if (csrf !== null && method !== 'GET') headers['x-wrongstack-csrf'] = csrf;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(url, {
      method,
      headers,
      cache: 'no-store',
      body: body === undefined ? null : JSON.stringify(body),
    }).catch(() => {
      connection.failed();
      throw away();
    });
    if (response.ok) {
      connection.answered();
      return response;
    }
    throw await problemIn(response);
  }
}

export const session = new Session();
