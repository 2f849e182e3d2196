import { createRequire } from 'node:module';
import path from 'node:path';
import type { IServerAdapter } from '@bull-board/api/typings/app';
import type { Queue } from 'bullmq';
import type { FastifyInstance } from 'fastify';
import type { Logger, SecretScrubber } from '@wrongstack/contracts';
import { RUN_QUEUE } from './bull-run-queue.js';
import { connectRedis } from './connect-redis.js';
import { QUEUE, TAG } from './task-scripts.js';
import { within } from './within.js';

export interface QueueBoardOptions {
  readonly url: string;
  readonly log: Logger;
  readonly scrubber: SecretScrubber;
  /** Where it is served, without a slash at its end. */
  readonly basePath: string;
  /** How long one look may take, a Redis that is away included. */
  readonly answerMs?: number;
}

/** What a browser gets. */
export interface BoardAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

const ANSWER_MS = 5_000;
/** All that our jobs hold: which task or run they are for. What else somebody put there under these names is not shown. */
const SHOWN = ['id', 'run', 'attempt'];

/**
 * bull-board over our queues, to look at and never to touch: nothing but GET reaches it, and each queue says that it is read-only.
 * Whoever serves it sees to who may look.
 */
export class QueueBoard {
  private constructor(
    private readonly options: QueueBoardOptions,
    private readonly pages: FastifyInstance,
    private readonly closeQueues: () => Promise<void>,
  ) {}

  /** Connects by itself. Throws `task.queue_unavailable` when Redis cannot be reached. */
  static async open(options: QueueBoardOptions): Promise<QueueBoard> {
    const { url, log, basePath, answerMs = ANSWER_MS } = options;
    const [bull, redis] = await Promise.all([import('bullmq'), connectRedis(url, answerMs, log)]);
    const queues = [QUEUE, RUN_QUEUE].map((name) => {
      const queue = new bull.Queue(name, { connection: redis, prefix: TAG });
      queue.on('error', (error) => log.warn('redis', { message: error.message }));
      return queue;
    });
    const closeQueues = async (): Promise<void> => {
      for (const queue of queues) await within(queue.close(), 1_000).catch(() => undefined);
      redis.disconnect();
    };
    const pages = await pagesOver(queues, basePath).catch(async (error: unknown) => {
      await closeQueues();
      throw error;
    });
    return new QueueBoard(options, pages, closeQueues);
  }

  /** `url`: path and query below `basePath`. Rejects with `task.late` when Redis does not answer. */
  async look(url: string): Promise<BoardAnswer> {
    const asked = this.pages.inject({ method: 'GET', url });
    const { statusCode, headers, rawPayload } = await within(asked, this.options.answerMs ?? ANSWER_MS);
    const type = String(headers['content-type'] ?? 'application/octet-stream');
    return { status: statusCode, type, body: this.#harmless(type, rawPayload) };
  }

  async close(): Promise<void> {
    await this.pages.close();
    await this.closeQueues();
  }

  #harmless(type: string, body: Buffer): Buffer {
    if (type.startsWith('text/html')) return Buffer.from(withoutForeignFonts(body.toString('utf8')));
    // Failures quote what they failed over.
    if (type.startsWith('application/json'))
      return Buffer.from(JSON.stringify(this.options.scrubber.scrubValue(JSON.parse(body.toString('utf8')))));
    return body;
  }
}

/** An application that never listens: requests are handed to it. Heavy, and loaded when somebody looks. */
async function pagesOver(queues: readonly Queue[], basePath: string): Promise<FastifyInstance> {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }, { fastify }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify'),
    import('fastify'),
  ]);
  const serverAdapter = new FastifyAdapter();
  createBullBoard({
    queues: queues.map((queue) => {
      const shown = new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false });
      shown.setFormatter('data', onlyShown);
      shown.setFormatter('returnValue', () => null);
      return shown;
    }),
    // The two packages differ by a patch, and each brings its own declaration of the same private members.
    serverAdapter: serverAdapter as unknown as IServerAdapter,
    options: {
      uiBasePath: path.dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json')),
      uiConfig: {
        boardTitle: 'WrongStack queues',
        hideDocsLink: true,
        miscLinks: [{ text: 'Console', url: '/console' }],
      },
    },
  });
  serverAdapter.setBasePath(basePath);
  const pages = fastify();
  await pages.register(serverAdapter.registerPlugin(), { prefix: basePath });
  await pages.ready();
  return pages;
}

function onlyShown(data: unknown): Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null) return {};
  return Object.fromEntries(
    SHOWN.flatMap((key) => (Object.hasOwn(data, key) ? [[key, Reflect.get(data, key)]] : [])),
  );
}

/** The page asks for its fonts at another company's, which would learn who looks when; it has others to fall back to. */
function withoutForeignFonts(page: string): string {
  return page.replaceAll(/<link [^>]*href="https?:\/\/[^>]*>/g, '');
}
