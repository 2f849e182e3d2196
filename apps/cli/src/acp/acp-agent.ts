import path from 'node:path';
import {
  agent,
  type AgentApp,
  type AgentContext,
  type AuthMethod,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  RequestError,
  type ResumeSessionRequest,
} from '@agentclientprotocol/sdk';
import { codeOf, type SessionStore } from '@wrongstack/contracts';
import type { Host } from '../app/host.js';
import { AcpSession } from './acp-session.js';
import { type ClientFeatures, featuresOf, NO_FEATURES } from './client-features.js';
import { beginClientServers } from './client-mcp-servers.js';
import { protocolError } from './protocol-error.js';
import { listSessions } from './list-sessions.js';

export interface AcpAgentOptions {
  readonly version: string;
  /** Wire the application for one folder. Throws `usage.cwd` for one that is none. */
  readonly bootIn: (cwd: string) => Promise<Host>;
  readonly sessions: Pick<SessionStore, 'list'>;
  /** Name of the key that the provider in force wants; null = none. */
  readonly keyName: () => Promise<string | null>;
  /** Settings in the home folder make no project of everything below it. */
  readonly home: string;
  /** Sessions of one connection; more are refused before memory is. */
  readonly mostSessions?: number;
}

type Wanted = Pick<ResumeSessionRequest, 'cwd' | 'mcpServers' | 'additionalDirectories'>;

const MOST_SESSIONS = 64;
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** All sessions of one editor, and the protocol's methods on them. */
export class AcpAgent {
  readonly #sessions = new Map<string, AcpSession>();
  #features: ClientFeatures = NO_FEATURES;
  #opening = 0;
  #closed = false;

  constructor(private readonly options: AcpAgentOptions) {}

  app(): AgentApp {
    return agent({ name: 'wstack' })
      .onRequest('initialize', async ({ params }) => {
        this.#features = featuresOf(params);
        return {
          protocolVersion: PROTOCOL_VERSION,
          agentInfo: { name: 'wstack', title: 'WrongStack', version: this.options.version },
          agentCapabilities: {
            loadSession: true,
            promptCapabilities: { image: true, audio: false, embeddedContext: true },
            mcpCapabilities: { http: true, sse: false },
            sessionCapabilities: { list: {}, resume: {}, close: {} },
          },
          authMethods: await this.#authMethods(),
        };
      })
      .onRequest('authenticate', ({ params }) => this.#authenticate(params.methodId))
      .onRequest('session/new', async ({ params, client }) => {
        const session = await this.#open(params, client);
        return this.#opened(session);
      })
      .onRequest('session/load', async ({ params, client }) => {
        const session = await this.#open(params, client, params.sessionId);
        await session.replay();
        const { modes, configOptions } = this.#opened(session);
        return { modes, configOptions };
      })
      .onRequest('session/resume', async ({ params, client }) => {
        const session = await this.#open(params, client, params.sessionId);
        const { modes, configOptions } = this.#opened(session);
        return { modes, configOptions };
      })
      .onRequest('session/list', ({ params }) =>
        listSessions(this.options.sessions, params, this.options.home),
      )
      .onRequest('session/close', async ({ params }) => {
        const session = this.#require(params.sessionId);
        this.#sessions.delete(params.sessionId);
        await session.close();
        return {};
      })
      .onRequest('session/set_mode', ({ params }) => {
        this.#require(params.sessionId).setMode(params.modeId);
        return {};
      })
      .onRequest('session/set_config_option', ({ params }) => {
        const session = this.#require(params.sessionId);
        session.setOption(params.configId, params.value);
        return { configOptions: session.state().configOptions ?? [] };
      })
      .onRequest('session/prompt', ({ params, signal }) =>
        this.#require(params.sessionId).prompt(params.prompt, signal),
      )
      .onNotification('session/cancel', ({ params }) => this.#sessions.get(params.sessionId)?.cancel());
  }

  /** Everything ends: turns are interrupted, their processes stopped, logs closed. */
  async close(): Promise<void> {
    this.#closed = true;
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(open.map((session) => session.close()));
  }

  async #open(wanted: Wanted, client: AgentContext, resume?: string): Promise<AcpSession> {
    const { cwd, additionalDirectories = [] } = wanted;
    if (!path.isAbsolute(cwd)) throw RequestError.invalidParams(undefined, `cwd must be absolute: ${cwd}`);
    if (additionalDirectories.length > 0) {
      throw RequestError.invalidParams(
        undefined,
        'additional directories are not supported: one folder a session',
      );
    }
    // A prefix names a session for people; a protocol's id is whole.
    if (resume !== undefined && !SESSION_ID.test(resume)) throw RequestError.sessionNotFound(resume);
    if (resume !== undefined) await this.#leave(resume);
    const most = this.options.mostSessions ?? MOST_SESSIONS;
    if (this.#sessions.size + this.#opening >= most) {
      throw RequestError.invalidRequest(undefined, `${most} sessions are open already: close one first`);
    }
    this.#opening += 1;
    try {
      const session = await this.#start(wanted, client, resume);
      if (this.#closed) {
        await session.close();
        throw RequestError.requestCancelled();
      }
      this.#sessions.set(session.id, session);
      return session;
    } finally {
      this.#opening -= 1;
    }
  }

  async #start(
    { cwd, mcpServers = [] }: Wanted,
    client: AgentContext,
    resume: string | undefined,
  ): Promise<AcpSession> {
    let host: Host | null = null;
    try {
      host = await this.options.bootIn(cwd);
      // A missing key is said now, when the editor can still offer to set one.
      await host.provider();
      const faults = await beginClientServers(host, mcpServers);
      const session = await AcpSession.start(host, client, this.#features, resume);
      session.warn(faults);
      if (resume === undefined || session.id === resume) return session;
      await session.close();
      host = null;
      throw RequestError.sessionNotFound(resume);
    } catch (error) {
      await host?.close();
      if (resume !== undefined && codeOf(error) === 'session.not_found') {
        throw RequestError.sessionNotFound(resume);
      }
      throw protocolError(error);
    }
  }

  /** Loading what is open here already begins anew, unless it is at work. */
  async #leave(id: string): Promise<void> {
    const open = this.#sessions.get(id);
    if (open === undefined) return;
    if (open.busy) throw RequestError.invalidRequest(undefined, `session ${id} is at work: cancel it first`);
    this.#sessions.delete(id);
    await open.close();
  }

  #opened(session: AcpSession): NewSessionResponse {
    // After the answer that names the session: an editor drops updates of one that it does not know.
    setImmediate(() => session.announceCommands());
    return { sessionId: session.id, ...session.state() };
  }

  #require(id: string): AcpSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }

  async #authMethods(): Promise<AuthMethod[]> {
    const key = await this.options.keyName();
    if (key === null) return [];
    const typed: AuthMethod = {
      id: 'key',
      name: `Use ${key}`,
      description: `run "wstack auth set ${key}" in a terminal, then come back`,
    };
    if (!this.#features.terminalAuth) return [typed];
    // The editor starts us once more with these words after its own, and a person types the key there.
    return [{ type: 'terminal', id: 'key-terminal', name: `Set ${key}`, args: ['--set-key', key] }, typed];
  }

  async #authenticate(methodId: string): Promise<Record<string, never>> {
    if (methodId !== 'key') throw RequestError.invalidParams(undefined, `there is no method ${methodId}`);
    let host: Host | null = null;
    try {
      host = await this.options.bootIn(process.cwd());
      await host.provider();
      return {};
    } catch (error) {
      throw protocolError(error);
    } finally {
      await host?.close();
    }
  }
}
