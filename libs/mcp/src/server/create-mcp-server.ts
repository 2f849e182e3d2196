import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { McpCallLine, McpOffer, McpPeer } from './mcp-offer.js';
import { answer, type Extra } from './request-handlers.js';
import { ServedTasks } from './served-tasks.js';

/**
 * The library's high-level class describes tools in its own schema language; ours have JSON Schemas, which must reach the
 * client as they are. So this is the advanced use that the plain class is kept for.
 */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- the plain class cannot hand on JSON Schemas as they are
export type ProtocolServer = Server;

export interface McpServerOptions {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** A person may be at lunch; then the answer is no. */
const ANSWER_MS = 600_000;
const RESOURCE_NOT_FOUND = -32002;
const MOST_COMPLETIONS = 100;

/** One connection's server: the protocol's methods on what is offered. The caller connects and closes it. */
export function createMcpServer(offer: McpOffer, { name, title, version }: McpServerOptions): ProtocolServer {
  const tasks = new ServedTasks();
  // The client is told exactly this: whoever starts us may have more in its options, a bearer for one.
  const info = { name, title, version };
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- see ProtocolServer
  const server = new Server(info, {
    capabilities: {
      tools: {},
      resources: { subscribe: true },
      prompts: {},
      logging: {},
      completions: {},
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    },
    taskStore: tasks.store,
    taskMessageQueue: tasks.queue,
    ...(offer.instructions === undefined ? {} : { instructions: offer.instructions }),
  });
  const subscribed = new Set<string>();
  offer.watch?.((uri) => {
    // A client that has gone away hears nothing.
    if (subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(() => undefined);
  });
  server.onclose = () => {
    tasks.close();
    void offer.close();
  };

  answer(server, ListToolsRequestSchema, () => ({ tools: [...offer.tools()] }));
  answer(server, CallToolRequestSchema, async ({ params }, extra) => {
    if (!offer.tools().some(({ name }) => name === params.name)) {
      throw new McpError(ErrorCode.InvalidParams, `there is no tool ${params.name}`);
    }
    const input = params.arguments ?? {};
    if (params.task === undefined) return offer.call(params.name, input, lineOf(server, extra));
    return tasks.start(extra, params.task.ttl, (signal, taskId) =>
      offer.call(params.name, input, lineOf(server, { ...extra, signal }, taskId)),
    );
  });
  answer(server, ListResourcesRequestSchema, () => ({ resources: [...offer.resources()] }));
  answer(server, ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...offer.templates()],
  }));
  answer(server, ReadResourceRequestSchema, async ({ params }) => {
    const found = await offer.read(params.uri);
    if (found === null) throw new McpError(RESOURCE_NOT_FOUND, `there is no resource ${params.uri}`);
    return found;
  });
  answer(server, SubscribeRequestSchema, ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  answer(server, UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  answer(server, ListPromptsRequestSchema, () => ({ prompts: [...offer.prompts()] }));
  answer(server, GetPromptRequestSchema, ({ params }) => {
    const found = offer.prompt(params.name, params.arguments ?? {});
    if (found === null) throw new McpError(ErrorCode.InvalidParams, `there is no prompt ${params.name}`);
    return found;
  });
  answer(server, CompleteRequestSchema, async ({ params }) => {
    const reference = params.ref.type === 'ref/prompt' ? params.ref.name : params.ref.uri;
    const all = await offer.complete(reference, params.argument.name, params.argument.value);
    const values = all.slice(0, MOST_COMPLETIONS);
    return { completion: { values, total: all.length, hasMore: all.length > values.length } };
  });
  return server;
}

function peerOf(server: ProtocolServer): McpPeer {
  const capabilities = server.getClientCapabilities();
  return {
    name: server.getClientVersion()?.name ?? null,
    elicits: capabilities?.elicitation !== undefined,
    samples: capabilities?.sampling !== undefined,
  };
}

function lineOf(server: ProtocolServer, extra: Extra, task?: string): McpCallLine {
  const token = extra._meta?.progressToken;
  const related = task === undefined ? {} : { relatedTask: { taskId: task } };
  const options = { signal: extra.signal, timeout: ANSWER_MS, ...related };
  const peer = peerOf(server);
  return {
    peer,
    signal: extra.signal,
    task: task !== undefined,
    status: (text) => {
      // A task that has ended meanwhile keeps its end.
      if (task !== undefined) extra.taskStore?.updateTaskStatus(task, 'working', text).catch(() => undefined);
    },
    progress:
      token === undefined
        ? null
        : (progress, message, total) => {
            const params = {
              progressToken: token,
              progress,
              ...(message === undefined ? {} : { message }),
              ...(total === undefined ? {} : { total }),
            };
            // A client that has gone away hears nothing; its call is cancelled elsewhere.
            extra.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
          },
    log: (level, data) =>
      extra.sendNotification({ method: 'notifications/message', params: { level, data } }),
    elicit: (params) =>
      task === undefined
        ? extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, options)
        : whileWaiting(extra, task, () => server.elicitInput(params, options)),
    sample: async (prompt, maxTokens) => {
      const params = {
        messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }],
        maxTokens,
      };
      const answer = await extra.sendRequest(
        { method: 'sampling/createMessage', params },
        CreateMessageResultSchema,
        options,
      );
      return answer.content.type === 'text' ? answer.content.text : '';
    },
    ...(extra.closeSSEStream === undefined ? {} : { hangUp: extra.closeSSEStream }),
  };
}

/** A client asks for a task's result, and so for what is queued with it, once the task says that it waits for input. */
async function whileWaiting<T>({ taskStore }: Extra, task: string, ask: () => Promise<T>): Promise<T> {
  const asked = ask();
  // Handled below; here it only must not count as unhandled while the status is written.
  asked.catch(() => undefined);
  await taskStore?.updateTaskStatus(task, 'input_required');
  const answer = await asked;
  await taskStore?.updateTaskStatus(task, 'working');
  return answer;
}
