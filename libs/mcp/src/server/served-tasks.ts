import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  type CallToolResult,
  type CreateTaskResult,
  ErrorCode,
  McpError,
  type ServerNotification,
  type ServerRequest,
  type Task,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '@wrongstack/contracts';

const LONGEST_MS = 3_600_000;
const MOST_RUNNING = 16;
const POLL_MS = 500;

/** Calls that a client started as tasks of the protocol, of one connection: a task that is cancelled stops its call. */
export class ServedTasks {
  readonly store: StoppingStore;
  readonly queue = new InMemoryTaskMessageQueue();
  readonly #running = new Map<string, AbortController>();

  constructor() {
    this.store = new StoppingStore((task) => this.#running.get(task)?.abort(cancelled()));
  }

  async start(
    extra: RequestHandlerExtra<ServerRequest, ServerNotification>,
    ttl: number | undefined,
    work: (signal: AbortSignal, taskId: string) => Promise<CallToolResult>,
  ): Promise<CreateTaskResult> {
    const { taskStore } = extra;
    if (taskStore === undefined) throw new McpError(ErrorCode.InternalError, 'tasks are not available');
    if (this.#running.size >= MOST_RUNNING) {
      throw new McpError(
        ErrorCode.InvalidRequest,
        `${MOST_RUNNING} tasks run already: wait for one or cancel it`,
      );
    }
    const kept = Math.min(ttl ?? LONGEST_MS, LONGEST_MS);
    const task = await taskStore.createTask({ ttl: kept, pollInterval: POLL_MS });
    const controller = new AbortController();
    this.#running.set(task.taskId, controller);
    void this.#run(task.taskId, taskStore, () => work(controller.signal, task.taskId));
    return { task };
  }

  close(): void {
    for (const controller of this.#running.values()) controller.abort(cancelled());
    this.store.cleanup();
  }

  async #run(
    id: string,
    store: NonNullable<RequestHandlerExtra<ServerRequest, ServerNotification>['taskStore']>,
    work: () => Promise<CallToolResult>,
  ): Promise<void> {
    let result: CallToolResult;
    try {
      result = await work();
    } catch (error) {
      result = { content: [{ type: 'text', text: messageOf(error) }], isError: true };
    }
    this.#running.delete(id);
    try {
      await store.storeTaskResult(id, result.isError === true ? 'failed' : 'completed', result);
    } catch {
      // Cancelled or expired by now: its end is known already.
    }
  }
}

class StoppingStore extends InMemoryTaskStore {
  constructor(private readonly onCancelled: (task: string) => void) {
    super();
  }

  override async updateTaskStatus(
    taskId: string,
    status: Task['status'],
    message?: string,
    sessionId?: string,
  ): Promise<void> {
    await super.updateTaskStatus(taskId, status, message, sessionId);
    if (status === 'cancelled') this.onCancelled(taskId);
  }
}

function cancelled(): DOMException {
  return new DOMException('the task was cancelled', 'AbortError');
}
