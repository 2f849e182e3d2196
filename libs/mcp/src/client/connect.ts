import { messageOf } from '@wrongstack/contracts';
import { McpError } from '../mcp-error.js';
import { record } from '../tools/mcp-definition.js';
import { FloodGuard } from './flood-guard.js';
import { GroupTransport } from './group-transport.js';
import type { HttpServer, Server, StdioServer } from './server-config.js';

export interface ConnectParts {
  /** What every process gets; keys of ours are in none of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where a server starts that names no folder. Never the project: a repository must not choose what `npx` finds. */
  readonly workingFolder: string;
  readonly credential: (name: string) => Promise<string | undefined>;
  /** For a remote server that a person has logged in at; undefined where nobody has. */
  readonly authProvider?: (
    server: HttpServer,
  ) => Promise<import('@modelcontextprotocol/sdk/client/auth.js').OAuthClientProvider | undefined>;
  /** Fills in a form for a server; what it leaves out takes the form's own defaults. Missing = no server may ask. */
  readonly elicit?: (
    params: import('@modelcontextprotocol/sdk/types.js').ElicitRequest['params'],
  ) => Promise<import('@modelcontextprotocol/sdk/types.js').ElicitResult>;
}

export interface RequestOptions {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeoutMs: number;
}

/** An open connection. Requests reject with an McpError. */
export interface Connection {
  readonly instructions: string | undefined;
  /** Why we ended it ourselves; such a server is not tried again. */
  broken(): McpError | null;
  offers(feature: 'tools' | 'resources' | 'prompts'): boolean;
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: RequestOptions,
  ): Promise<Readonly<Record<string, unknown>>>;
  onClose(listener: () => void): void;
  onToolsChanged(listener: () => void): void;
  close(): Promise<void>;
}

const REQUEST_TIMEOUT = -32_001;
const CONNECTION_CLOSED = -32_000;

/**
 * Start or reach a server and shake hands; the signal ends that, and a process with it. The SDK is loaded here, when there
 * is a server at all.
 */
export async function connect(server: Server, parts: ConnectParts, signal: AbortSignal): Promise<Connection> {
  const [{ Client }, { ElicitRequestSchema, ResultSchema, ToolListChangedNotificationSchema }] =
    await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
  const client = new Client(
    { name: 'wrongstack', version: '0.1.0' },
    // Inputs are validated before they are sent and outputs are text to us, so no second ajv is made for each server.
    {
      capabilities: parts.elicit === undefined ? {} : { elicitation: { form: { applyDefaults: true } } },
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  const { elicit } = parts;
  if (elicit !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params));
  const { transport, lastWords, overflowed, end } = await open(server, parts);
  const guard = new FloodGuard(() => void client.close().catch(() => undefined));
  // The client calls it before its own.
  transport.onmessage = (message) => guard.message(message);
  // Lines that are no message, and answers to nothing that was asked.
  client.onerror = () => guard.unasked();
  const broken = (): McpError | null =>
    guard.flooded ? new McpError('mcp.flooded', server.name, FloodGuard.fault) : null;
  try {
    signal.throwIfAborted();
    await client.connect(transport, { timeout: server.startTimeoutMs, signal });
  } catch (error) {
    await Promise.allSettled([client.close(), end()]);
    if (signal.aborted) throw new McpError('mcp.closed', server.name, 'was stopped while it started');
    throw broken() ?? startError(server, error, lastWords());
  }
  return {
    instructions: client.getInstructions(),
    broken,
    offers: (feature) => client.getServerCapabilities()?.[feature] !== undefined,
    async request(method, params, { signal, timeoutMs }) {
      try {
        const answer = await client.request({ method, params }, ResultSchema, {
          signal,
          timeout: timeoutMs,
        });
        return record(answer) ?? {};
      } catch (error) {
        signal.throwIfAborted();
        if (overflowed()) throw tooLong(server, error);
        throw broken() ?? requestError(server, error, timeoutMs);
      }
    },
    onClose: (listener) => {
      client.onclose = listener;
    },
    onToolsChanged: (listener) =>
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => listener()),
    async close() {
      // A remote session is ended politely, but never waited for longer than this.
      await Promise.race([end(), new Promise((resolve) => setTimeout(resolve, 3_000).unref())]);
      await client.close();
    },
  };
}

interface Opened {
  readonly transport: import('@modelcontextprotocol/sdk/shared/transport.js').Transport;
  readonly lastWords: () => string;
  /** It was ended by us, for a message longer than one may be. */
  readonly overflowed: () => boolean;
  readonly end: () => Promise<void>;
}

function open(server: Server, parts: ConnectParts): Promise<Opened> {
  return server.kind === 'stdio' ? openStdio(server, parts) : openHttp(server, parts);
}

async function openStdio(server: StdioServer, parts: ConnectParts): Promise<Opened> {
  const { ReadBuffer } = await import('@modelcontextprotocol/sdk/shared/stdio.js');
  const secrets: Record<string, string> = {};
  for (const name of server.credentials) secrets[name] = await requiredCredential(server, name, parts);
  const transport = new GroupTransport(
    {
      command: server.command,
      args: server.args,
      env: { ...parts.environment, ...server.env, ...secrets },
      cwd: server.cwd ?? parts.workingFolder,
    },
    new ReadBuffer(),
  );
  return {
    transport,
    lastWords: () => transport.lastWords,
    overflowed: () => transport.overflowed,
    end: () => transport.close(),
  };
}

async function openHttp(server: HttpServer, parts: ConnectParts): Promise<Opened> {
  const { StreamableHTTPClientTransport } =
    await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const headers = { ...server.headers };
  if (server.credential !== null) {
    headers['Authorization'] = `Bearer ${await requiredCredential(server, server.credential, parts)}`;
  }
  const authProvider = server.credential === null ? await parts.authProvider?.(server) : undefined;
  const transport = new StreamableHTTPClientTransport(server.url, {
    requestInit: { headers },
    ...(authProvider && { authProvider }),
  });
  return {
    transport,
    lastWords: () => '',
    overflowed: () => false,
    end: () => transport.terminateSession().catch(() => undefined),
  };
}

async function requiredCredential(server: Server, name: string, parts: ConnectParts): Promise<string> {
  const value = await parts.credential(name);
  if (value !== undefined) return value;
  throw new McpError('mcp.start_failed', server.name, `its credential ${name} is not stored`, {
    hint: `wstack auth set ${name}`,
  });
}

function startError(server: Server, error: unknown, lastWords: string): McpError {
  if (error instanceof McpError) return error;
  const code = codeNumber(error);
  if (code === 401 || (error instanceof Error && error.name === 'UnauthorizedError')) {
    return new McpError('mcp.login_needed', server.name, 'it wants to know who you are', {
      cause: error,
      hint: `wstack mcp login ${server.name}`,
    });
  }
  const said = lastWords === '' ? '' : `; it said: ${lastWords.split('\n').slice(-3).join(' ')}`;
  if (code === REQUEST_TIMEOUT) {
    const fault = `did not answer within ${String(server.startTimeoutMs)} ms${said}`;
    return new McpError('mcp.start_timeout', server.name, fault, { cause: error });
  }
  return new McpError('mcp.start_failed', server.name, `cannot be started: ${messageOf(error)}${said}`, {
    cause: error,
  });
}

function tooLong(server: Server, cause: unknown): McpError {
  const fault = 'sent a message of more than 10 MB and was disconnected; the call was not repeated';
  return new McpError('mcp.bad_answer', server.name, fault, { cause });
}

function requestError(server: Server, error: unknown, timeoutMs: number): McpError {
  // Ours, thrown through the library: a call wanted more than the login had been granted.
  if (error instanceof McpError) return error;
  const code = codeNumber(error);
  if (code === REQUEST_TIMEOUT) {
    const fault = `did not answer within ${String(timeoutMs)} ms and was told to stop; the call was not repeated`;
    return new McpError('mcp.call_timeout', server.name, fault, { cause: error });
  }
  if (code === CONNECTION_CLOSED) {
    return new McpError('mcp.closed', server.name, 'ended while it worked; whether it finished is unknown', {
      cause: error,
    });
  }
  if (code === 401) {
    return new McpError('mcp.login_needed', server.name, 'the login has expired', {
      cause: error,
      hint: `wstack mcp login ${server.name}`,
    });
  }
  // It forgot the session, since it was restarted: 404 by the book, 400 from many. Or it is not there any more.
  const forgotten = code === 404 || (code === 400 && /session/i.test(messageOf(error)));
  const unreachable = error instanceof Error && error.name === 'TypeError' && code === undefined;
  if (server.kind === 'http' && (forgotten || unreachable))
    return new McpError('mcp.closed', server.name, 'no longer knows us', { cause: error });
  return new McpError('mcp.call_failed', server.name, messageOf(error), { cause: error });
}

function codeNumber(error: unknown): number | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : undefined;
}
