import type { AgentContext, CreateTerminalResponse, TerminalOutputResponse } from '@agentclientprotocol/sdk';

export interface TerminalOwner {
  readonly client: Pick<AgentContext, 'request'>;
  readonly sessionId: string;
}

export interface TerminalStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** What the editor keeps of a terminal's text. What the model gets is counted elsewhere. */
const KEPT_BYTES = 1024 * 1024;
const CLIENT_MS = 5_000;
/** Between the end of our program and the editor's word for it, so that its card shows how the command ended. */
const GONE_MS = 2_000;

/** One terminal of the editor's, through the protocol's five methods. An editor that does not answer holds nothing up. */
export class ClientTerminal {
  /** The terminal's own process has ended, or the editor says that there is none. */
  readonly gone: Promise<void>;

  private constructor(
    private readonly owner: TerminalOwner,
    readonly id: string,
  ) {
    const { client } = owner;
    this.gone = client.request('terminal/wait_for_exit', this.#params()).then(
      () => undefined,
      () => undefined,
    );
  }

  /** Null where the editor makes none before `until` aborts; one that comes too late is given back. */
  static async create(
    owner: TerminalOwner,
    { command, args, cwd }: TerminalStart,
    until: AbortSignal,
  ): Promise<ClientTerminal | null> {
    const { client, sessionId } = owner;
    const params = { sessionId, command, args: [...args], cwd, env: [], outputByteLimit: KEPT_BYTES };
    const make = async (): Promise<ClientTerminal | null> => {
      try {
        const made: CreateTerminalResponse = await client.request('terminal/create', params);
        return typeof made.terminalId === 'string' ? new ClientTerminal(owner, made.terminalId) : null;
      } catch {
        return null;
      }
    };
    const made = make();
    const terminal = await Promise.race([made, aborted(until)]);
    if (terminal === null) void made.then((late) => late?.release());
    return terminal;
  }

  /** Its text so far; empty where the editor does not say. */
  async output(): Promise<string> {
    const { client } = this.owner;
    try {
      const answer: TerminalOutputResponse = await client.request(
        'terminal/output',
        this.#params(),
        bounded(),
      );
      return typeof answer.output === 'string' ? answer.output : '';
    } catch {
      return '';
    }
  }

  kill(): void {
    const { client } = this.owner;
    client.request('terminal/kill', this.#params(), bounded()).catch(() => undefined);
  }

  /** Gives the terminal back once it has ended; what its card shows stays. */
  async release(): Promise<void> {
    await Promise.race([this.gone, aborted(AbortSignal.timeout(GONE_MS))]);
    const { client } = this.owner;
    // Sent is enough: what follows does not depend on the answer.
    client.request('terminal/release', this.#params(), bounded()).catch(() => undefined);
  }

  #params(): { sessionId: string; terminalId: string } {
    return { sessionId: this.owner.sessionId, terminalId: this.id };
  }
}

function bounded(): { cancellationSignal: AbortSignal; stopWaitingOnCancel: true } {
  return { cancellationSignal: AbortSignal.timeout(CLIENT_MS), stopWaitingOnCancel: true };
}

/** Resolves to null when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
}
