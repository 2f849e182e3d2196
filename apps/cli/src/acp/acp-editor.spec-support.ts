import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import {
  type AnyMessage,
  client,
  type ClientContext,
  type InitializeRequest,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { JsonlSessionStore } from '@wrongstack/adapters';
import { agentPaths } from '../app/agent-paths.js';
import { boot } from '../app/boot.js';
import { bootRequest, type SessionOptions } from '../app/boot-request.js';
import type { Environment } from '../environment.js';
import { type AcpStreams, serveAcp } from './serve-acp.js';
import { EditorTerminals } from './terminals/editor-terminals.spec-support.js';

export interface EditorWorld {
  /** Relative to the project; `~/` stands for the home. */
  readonly files?: Readonly<Record<string, string>>;
  readonly turns?: readonly unknown[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly options?: SessionOptions;
}

export type PermissionAnswer =
  | RequestPermissionRequest['options'][number]['kind']
  | ((request: RequestPermissionRequest) => Promise<RequestPermissionResponse>);

/** A home and a project on disk, and a model that plays a script. */
export class EditorSandbox {
  private constructor(
    readonly root: string,
    readonly home: string,
    readonly project: string,
    readonly options: SessionOptions,
  ) {}

  static async create(world: EditorWorld): Promise<EditorSandbox> {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), 'wstack-acp-')));
    const sandbox = new EditorSandbox(
      root,
      path.join(root, 'home'),
      path.join(root, 'project'),
      world.options ?? {},
    );
    await mkdir(path.join(sandbox.project, '.git'), { recursive: true });
    const script = await sandbox.write('~/script.json', JSON.stringify({ turns: world.turns ?? [] }));
    const provider = { type: 'scripted', model: 'scripted-1', script };
    await sandbox.write('~/.wrongstack/config.json', JSON.stringify({ provider, ...world.config }));
    for (const [name, text] of Object.entries(world.files ?? {})) await sandbox.write(name, text);
    return sandbox;
  }

  async write(name: string, text: string): Promise<string> {
    const file = name.startsWith('~/') ? path.join(this.home, name.slice(2)) : path.join(this.project, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }

  read(name: string): Promise<string> {
    return readFile(path.join(this.project, name), 'utf8');
  }

  environment(): Environment {
    const all = { PATH: process.env['PATH'], HOME: this.home };
    return {
      home: this.home,
      agentHome: path.join(this.home, '.wrongstack'),
      managedDir: path.join(this.root, 'managed'),
      variable: (name) => (all as Readonly<Record<string, string | undefined>>)[name],
      all,
    };
  }

  serve(streams: AcpStreams, signal: AbortSignal): Promise<void> {
    const environment = this.environment();
    return serveAcp(
      {
        version: '0.0.0',
        bootIn: (cwd) => boot(bootRequest({ ...this.options, cwd }, true, environment)),
        sessions: new JsonlSessionStore(agentPaths(environment).sessions),
        keyName: async () => null,
        home: this.home,
      },
      streams,
      signal,
    );
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }
}

/** An editor over real byte streams. Everything that goes over the wire is kept. */
export class TestEditor {
  readonly wire: {
    readonly from: 'agent' | 'client';
    readonly message: Readonly<Record<string, unknown>>;
  }[] = [];
  /** Text of files that are open with unsaved changes, by absolute path. */
  readonly buffers = new Map<string, string>();
  readonly written: { readonly path: string; readonly content: string }[] = [];
  answers: PermissionAnswer[] = [];
  readonly terminals: EditorTerminals;
  readonly toAgent = new PassThrough();
  readonly #fromAgent = new PassThrough();
  readonly #controller = new AbortController();
  readonly served: Promise<void>;
  readonly agent: ClientContext;

  constructor(readonly sandbox: EditorSandbox) {
    const path = process.env['PATH'] ?? '';
    this.terminals = new EditorTerminals({ PATH: path, HOME: sandbox.home, EDITORS_OWN: 'leaked' });
    const shown = new PassThrough();
    const tap = (from: 'agent' | 'client', chunk: Buffer, rest: { text: string }): void => {
      rest.text += chunk.toString('utf8');
      const lines = rest.text.split('\n');
      rest.text = lines.pop() ?? '';
      // A line that is no JSON fails here: stdout carries the protocol and nothing else.
      for (const line of lines)
        this.wire.push({ from, message: JSON.parse(line) as Record<string, unknown> });
    };
    const rest = { text: '' };
    this.#fromAgent.on('data', (chunk: Buffer) => {
      tap('agent', chunk, rest);
      shown.write(chunk);
    });
    this.#fromAgent.on('end', () => shown.end());
    this.served = sandbox.serve({ input: this.toAgent, output: this.#fromAgent }, this.#controller.signal);
    const stream = ndJsonStream(
      Writable.toWeb(this.toAgent) as WritableStream<Uint8Array>,
      Readable.toWeb(shown) as ReadableStream<Uint8Array>,
    );
    const app = client({ name: 'test-editor' })
      .onNotification('session/update', () => undefined)
      .onRequest('session/request_permission', ({ params }) => this.#answer(params))
      .onRequest('fs/read_text_file', async ({ params }) => ({
        content: this.buffers.get(params.path) ?? (await readFile(params.path, 'utf8')),
      }))
      .onRequest('fs/write_text_file', async ({ params }) => {
        this.written.push({ path: params.path, content: params.content });
        this.buffers.delete(params.path);
        await writeFile(params.path, params.content);
        return {};
      })
      .onRequest('terminal/create', ({ params }) => this.terminals.create(params))
      .onRequest('terminal/output', ({ params }) => this.terminals.output(params.terminalId))
      .onRequest('terminal/wait_for_exit', ({ params }) => this.terminals.wait(params.terminalId))
      .onRequest('terminal/kill', ({ params }) => {
        this.terminals.kill(params.terminalId);
        return {};
      })
      .onRequest('terminal/release', ({ params }) => {
        this.terminals.release(params.terminalId);
        return {};
      });
    this.agent = app.connect({
      readable: stream.readable,
      writable: recording(stream.writable, (message) =>
        this.wire.push({ from: 'client', message: { ...message } }),
      ),
    }).agent;
  }

  initialize(clientCapabilities: InitializeRequest['clientCapabilities'] = {}) {
    return this.agent.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'test-editor', version: '1' },
      clientCapabilities,
    });
  }

  async open(clientCapabilities?: InitializeRequest['clientCapabilities']): Promise<string> {
    await this.initialize(clientCapabilities);
    const { sessionId } = await this.agent.request('session/new', {
      cwd: this.sandbox.project,
      mcpServers: [],
    });
    return sessionId;
  }

  prompt(sessionId: string, text: string) {
    return this.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  }

  updates(sessionId?: string): SessionUpdate[] {
    return this.wire.flatMap(({ from, message }) => {
      if (from !== 'agent' || message['method'] !== 'session/update') return [];
      const params = message['params'] as { sessionId: string; update: SessionUpdate };
      return sessionId === undefined || params.sessionId === sessionId ? [params.update] : [];
    });
  }

  /** The editor goes away; resolves when the agent has ended as well. */
  async leave(): Promise<void> {
    this.toAgent.end();
    await this.served;
  }

  #answer(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const answer = this.answers.shift() ?? 'reject_once';
    if (typeof answer === 'function') return answer(request);
    const option = request.options.find(({ kind }) => kind === answer);
    return Promise.resolve({
      outcome:
        option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId },
    });
  }
}

function recording(
  writable: WritableStream<AnyMessage>,
  record: (message: AnyMessage) => void,
): WritableStream<AnyMessage> {
  const writer = writable.getWriter();
  return new WritableStream({
    write: (message) => {
      record(message);
      return writer.write(message);
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
}
