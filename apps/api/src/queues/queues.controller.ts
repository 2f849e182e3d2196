import { Controller, Inject, Req, Res } from '@nestjs/common';
import { codeOf, WrongStackError } from '@wrongstack/contracts';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import type { RouteContract } from '../http/route-contract.js';
import type { Reply } from '../http/reply.js';
import { Route } from '../http/route.handler.js';
import { QUEUES_PATH } from './look-into-queues.js';

interface Request {
  readonly url: string;
}

const COMMON = {
  ability: ['read', 'Queue'],
  // The page reads its own address, and asks for its files and figures with queries of its own.
  anyQuery: true,
  answers: {
    200: {
      description: 'The page, a file of it, or what it shows.',
      mediaType: 'text/html',
      schema: { type: 'string' },
    },
  },
  problems: { 404: 'queues.none: no queue on Redis is in use here; queues.unknown.' },
} as const satisfies Partial<RouteContract>;

/** The page says where its files are by a `base`, and sets styles from its script; no script but our own files. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * bull-board, for admins. Only to look at: a job that was retried, added or removed there would have run, or not, without a decision
 * and without a record; `/v1/tasks` and `/v1/runs` do that with both.
 */
@Controller('v1/queues')
export class QueuesController {
  constructor(@Inject(ApiHost) private readonly host: ApiHost) {}

  @Route('GET', '', { ...COMMON, summary: 'The queues of tasks and runs, as a page' })
  page(@Req() request: Request, @Res() reply: Reply): Promise<void> {
    return this.#look(request, reply);
  }

  @Route('GET', '*', {
    ...COMMON,
    summary: 'The queues at one of their pages, a file, or what the page shows',
    params: { '*': { type: 'string', maxLength: 1000 } },
  })
  part(@Req() request: Request, @Res() reply: Reply): Promise<void> {
    return this.#look(request, reply);
  }

  async #look({ url }: Request, reply: Reply): Promise<void> {
    const board = await this.host.queues.board();
    const { status, type, body } = await board.look(url).catch((error: unknown) => {
      if (codeOf(error) !== 'task.late') throw error;
      throw new WrongStackError('task.queue_unavailable', 'Redis does not answer: try again', {
        cause: error,
      });
    });
    if (status === 404) throw new ApiProblem(404, 'queues.unknown', 'there is no such queue, job or file');
    if (status >= 400)
      throw new Error(`the board answered ${status}: ${body.toString('utf8').slice(0, 300)}`);
    reply
      .status(status)
      .header('content-type', type)
      .header('cache-control', 'no-store')
      .header('content-security-policy', PAGE_POLICY)
      .send(body);
  }
}

/** Where people look for it. */
@Controller('queues')
export class QueuesDoorController {
  @Route('GET', '', {
    summary: 'To the queues',
    ability: 'public',
    answers: { 302: { description: `At ${QUEUES_PATH}, for admins.` } },
  })
  door(@Res() reply: Reply): void {
    reply.status(302).header('location', QUEUES_PATH).send('');
  }
}
