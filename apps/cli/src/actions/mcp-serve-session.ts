import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  type ApprovalRequest,
  type CallId,
  newId,
  type SessionLog,
  type SessionStore,
  type ToolUseBlock,
} from '@wrongstack/contracts';
import { type CallOutcome, processPathLocks, ReadRecords, RunContext } from '@wrongstack/kernel';
import type { GovernedCall, GovernedSession } from '@wrongstack/mcp/server';
import { questionText } from '../acp/permission-text.js';
import { localActor } from '../app/actor.js';
import type { Host } from '../app/host.js';
import { mcpWaitMs } from '../app/open-session.js';

const MOST_LOG_CHARACTERS = 1024 * 1024;

/** One MCP client's calls: what it has read, its scratch folder and its log last as long as its connection. */
export class McpServeSession implements GovernedSession {
  readonly #run = newId('RunId');
  readonly #context: RunContext;
  #closed: Promise<void> | null = null;

  private constructor(
    private readonly host: Host,
    private readonly sessionLog: SessionLog,
    scratchDir: string,
  ) {
    const { cwd, projectRoot, paths } = host.request;
    this.#context = new RunContext({
      cwd,
      projectRoot,
      scratchDir,
      dataDir: paths.agentHome,
      sessionId: sessionLog.id,
      runId: this.#run,
      meta: {},
      log: host.log,
      entries: sessionLog,
      scrubber: host.scrubber,
      reads: new ReadRecords(),
      locks: processPathLocks,
    });
  }

  static async open(host: Host, store: SessionStore): Promise<McpServeSession> {
    const { cwd, projectRoot, paths } = host.request;
    const log = await store.create({ projectRoot, cwd, model: 'none: calls of an MCP client' });
    const scratchDir = path.join(paths.scratch, log.id);
    await mkdir(scratchDir, { recursive: true, mode: 0o700 });
    // A client asks for the list of tools once.
    await host.extensions.ready(mcpWaitMs(host), new AbortController().signal);
    return new McpServeSession(host, log, scratchDir);
  }

  get id(): string {
    return this.sessionLog.id;
  }

  tools() {
    return this.host.kernel.tools.list();
  }

  async call({ name, input, agent, approvals, onProgress, signal }: GovernedCall): Promise<CallOutcome> {
    const { kernel, control } = this.host;
    const use: ToolUseBlock = { type: 'tool_use', id: newId('CallId'), name, input };
    const stop = kernel.events.on('tool.progress', ({ call, event }) => {
      if (call === (use.id satisfies CallId)) onProgress(event);
    });
    try {
      const outcome = await kernel.executor.execute(
        use,
        {
          origin: { session: this.sessionLog.id, run: this.#run, agent: 'main' },
          context: this.#context,
          // A client says who it is, and nobody vouches for that: no rule that allows by identity matches it.
          actor: { ...localActor(this.host), agent: { name: agent ?? 'mcp-client', authenticated: false } },
          session: () => ({ ...control.facts(), interactive: approvals !== null }),
          log: this.sessionLog,
          ...(approvals === null ? {} : { approvals }),
        },
        signal,
      );
      await this.sessionLog.flush();
      return outcome;
    } finally {
      stop();
    }
  }

  describe(request: ApprovalRequest): string {
    const { clock, request: boot } = this.host;
    return questionText(request, boot.environment.home, clock.now());
  }

  async log(): Promise<string> {
    let text = '';
    for await (const entry of this.sessionLog.entries()) {
      text = `${text}${JSON.stringify(entry)}\n`.slice(-MOST_LOG_CHARACTERS);
    }
    return text;
  }

  async policies() {
    const { documents } = await this.host.documents.load(this.host.request.projectRoot);
    return documents.map((document) => ({
      name: document.metadata.id,
      text: JSON.stringify(document, null, 2),
    }));
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#context.end();
      await this.sessionLog.flush();
      await this.sessionLog.close();
    })();
    return this.#closed;
  }
}
