import {
  type AgentContext,
  type ContentBlock as WireBlock,
  type NewSessionResponse,
  type PromptResponse,
  RequestError,
} from '@agentclientprotocol/sdk';
import { type Disposer, messageOf, type SlashCommand } from '@wrongstack/contracts';
import type { AgentResult } from '@wrongstack/kernel';
import { viewsOfHost } from '../actions/run-output.js';
import type { Host } from '../app/host.js';
import { InteractiveSession } from '../interactive/interactive-session.js';
import { slashCommands, type SessionScreen } from '../interactive/slash-commands.js';
import { detectCaps } from '../terminal/caps.js';
import { createTheme, lookOf } from '../terminal/theme.js';
import { AcpApprovals } from './acp-approvals.js';
import { CallCards } from './call-cards.js';
import { useClientFiles } from './client-files.js';
import type { ClientFeatures } from './client-features.js';
import { forwardEvents } from './event-forwarder.js';
import { promptContent } from './prompt-content.js';
import { replayEntry } from './session-replay.js';
import { SessionSettings } from './session-settings.js';
import { SessionUpdates } from './session-updates.js';
import { fenced } from './wire-content.js';
import { TERMINAL_TOOLS, useClientTerminals } from './terminals/client-terminals.js';
import { protocolError } from './protocol-error.js';

/** Commands that act on a terminal, or would put another session in place of the one that the editor holds. */
const TERMINAL_ONLY: ReadonlySet<string> = new Set(['help', 'clear', 'sessions', 'resume', 'quit']);
const COMMAND = /^\/([a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/;
const LONGEST_TITLE = 80;
const FENCE_COLUMNS = 79;

/** One session of an editor: a host of its own, so that modes, models and answers never leak into another one. */
export class AcpSession {
  readonly #disposers: Disposer[] = [];
  #turn: AbortController | null = null;
  #ended: Promise<unknown> = Promise.resolve();
  #titled = false;
  #unsaid: string[] = [];

  private constructor(
    private readonly session: InteractiveSession,
    private readonly settings: SessionSettings,
    private readonly cards: CallCards,
    private readonly updates: SessionUpdates,
    private readonly features: ClientFeatures,
  ) {}

  static async start(
    host: Host,
    client: AgentContext,
    features: ClientFeatures,
    resume?: string,
  ): Promise<AcpSession> {
    const session = await InteractiveSession.start(host, resume);
    const { id } = session.open.log;
    const { cwd, environment } = host.request;
    const updates = new SessionUpdates(client, id);
    const cards = new CallCards({ views: viewsOfHost(host), cwd, terminalOutput: features.terminalOutput });
    const settings = await SessionSettings.of(host);
    const made = new AcpSession(session, settings, cards, updates, features);
    host.approvals.use(
      new AcpApprovals({
        client,
        sessionId: id,
        cards,
        clock: host.clock,
        home: environment.home,
        announced: () => updates.flush(),
        onCancelled: () => made.cancel(),
      }),
    );
    useClientFiles(host.kernel.tools, { client, sessionId: id, features });
    if (features.terminals) {
      useClientTerminals(host.kernel.tools, {
        client,
        sessionId: id,
        titleOf: (call) => cards.titleOf(call),
        onOpened: (call, terminalId) => {
          updates.send(...cards.opened(call, terminalId));
          return updates.flush();
        },
        onRefused: (call) => updates.send(...cards.refused(call)),
        onFault: (text) => made.warn([text]),
      });
    }
    const announceSettings = (): void => updates.send(...settings.changes());
    made.#disposers.push(
      forwardEvents(host.kernel.events, {
        cards,
        send: (...sent) => updates.send(...sent),
        notices: features.notices,
        hosts: (tool) => features.terminals && TERMINAL_TOOLS.has(tool),
        contextTokens: () => host.config.current.agent.contextTokens,
        onCallEnded: announceSettings,
      }),
    );
    // An editor colours by itself, and does not wrap what stands in a fence.
    const caps = { ...detectCaps({ environment: {}, tty: false }), unicode: true };
    const look = { ...lookOf(caps, createTheme(caps), environment.home), columns: FENCE_COLUMNS };
    const screen: SessionScreen = {
      refresh: announceSettings,
      look: () => look,
      pickSession: async () => null,
      askedHere: async () => false,
      goOn: async () => undefined,
      quit: () => undefined,
      during: (_what, work) => work(),
    };
    for (const command of slashCommands(session, screen)) {
      if (!TERMINAL_ONLY.has(command.name)) host.kernel.slashCommands.register(command);
    }
    return made;
  }

  get id(): string {
    return this.session.open.log.id;
  }

  get busy(): boolean {
    return this.#turn !== null;
  }

  state(): Pick<NewSessionResponse, 'modes' | 'configOptions'> {
    return { modes: this.settings.modeState(), configOptions: this.settings.configOptions() };
  }

  announceCommands(): void {
    const availableCommands = this.#commands().map(({ name, description }) => ({
      name,
      description,
      input: { hint: 'arguments' },
    }));
    this.updates.send({ sessionUpdate: 'available_commands_update', availableCommands });
  }

  /** The log as the editor would have seen it. Calls without an end get one; the next prompt settles them. */
  async replay(): Promise<void> {
    this.#titled = true;
    for await (const entry of this.session.open.log.entries()) {
      this.updates.send(...replayEntry(entry, this.cards));
    }
    this.updates.send(...this.cards.abandoned());
    await this.updates.flush();
  }

  /** Said with the next answer where the editor shows no notices. */
  warn(lines: readonly string[]): void {
    for (const title of lines) {
      if (this.features.notices) this.updates.send({ sessionUpdate: 'notice', severity: 'warning', title });
      else this.#unsaid.push(title);
    }
  }

  setMode(mode: string): void {
    this.settings.setMode(mode);
    this.updates.send(...this.settings.changes());
  }

  setOption(id: string, value: unknown): void {
    this.settings.setOption(id, value);
    this.updates.send(...this.settings.changes());
  }

  /** Answer a prompt. One at a time: a second one is refused, not queued. */
  async prompt(prompt: readonly WireBlock[], signal: AbortSignal): Promise<PromptResponse> {
    if (this.#turn !== null) {
      throw RequestError.invalidRequest(
        undefined,
        'this session answers a prompt already: cancel it or wait',
      );
    }
    const content = promptContent(prompt);
    const turn = new AbortController();
    this.#turn = turn;
    const both = AbortSignal.any([signal, turn.signal]);
    const work = this.#answer(prompt, content, both);
    this.#ended = work.catch(() => undefined);
    try {
      return await work;
    } finally {
      this.#turn = null;
    }
  }

  /** Ends the turn under way: the model, its calls, and a question that is open. */
  cancel(): void {
    this.#turn?.abort(new DOMException('cancelled by the editor', 'AbortError'));
  }

  async close(): Promise<void> {
    this.cancel();
    await this.#ended;
    for (const dispose of this.#disposers.splice(0)) dispose();
    try {
      await this.session.close();
    } finally {
      await this.session.host.close();
    }
  }

  async #answer(
    prompt: readonly WireBlock[],
    content: ReturnType<typeof promptContent>,
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    try {
      this.#sayUnsaid();
      const command = this.#commandOf(prompt);
      if (command !== null) return await this.#runCommand(command.command, command.args);
      this.#sendTitle(content);
      const result = await this.session.open.agent.run(content, { signal });
      return { stopReason: stopReasonOf(result) };
    } catch (error) {
      throw protocolError(error);
    } finally {
      this.updates.send(...this.cards.abandoned(), ...this.settings.changes());
      await this.updates.flush();
    }
  }

  #commandOf(prompt: readonly WireBlock[]): { command: SlashCommand; args: readonly string[] } | null {
    const [first, ...rest] = prompt;
    if (first?.type !== 'text' || rest.length > 0) return null;
    const [, name = '', args = ''] = COMMAND.exec(first.text.trim()) ?? [];
    const command = this.#commands().find((one) => one.name === name);
    // A text that only looks like a command, as a path does, is for the model.
    return command === undefined ? null : { command, args: args.split(/\s+/).filter((word) => word !== '') };
  }

  async #runCommand(command: SlashCommand, args: readonly string[]): Promise<PromptResponse> {
    const ctx = this.session.open.agent.context();
    let text: string;
    try {
      text = (await command.execute({ args, ctx }))?.message ?? '';
    } catch (error) {
      text = `/${command.name}: ${messageOf(error)}`;
    }
    if (text !== '') {
      // Lists are laid out in columns, which only hold in a fence.
      if (text.includes('\n')) text = fenced(text, '');
      this.updates.send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    }
    return { stopReason: 'end_turn' };
  }

  #commands(): readonly SlashCommand[] {
    return this.session.host.kernel.slashCommands.list();
  }

  #sayUnsaid(): void {
    for (const line of this.#unsaid.splice(0)) {
      const content = { type: 'text' as const, text: `${line}\n\n` };
      this.updates.send({ sessionUpdate: 'agent_message_chunk', content });
    }
  }

  #sendTitle(content: ReturnType<typeof promptContent>): void {
    if (this.#titled) return;
    this.#titled = true;
    const [line = ''] = content.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []));
    const title = line.split('\n', 1)[0]?.slice(0, LONGEST_TITLE) ?? '';
    if (title !== '') this.updates.send({ sessionUpdate: 'session_info_update', title });
  }
}

function stopReasonOf({ status, error }: AgentResult): PromptResponse['stopReason'] {
  switch (status) {
    case 'completed':
    case 'stopped_by_policy':
      return 'end_turn';
    case 'interrupted':
      return 'cancelled';
    case 'limit':
      return error?.code === 'model.max_tokens' ? 'max_tokens' : 'max_turn_requests';
    case 'failed':
      if (error?.code === 'model.refused') return 'refusal';
      throw protocolError(error);
  }
}
