import { createHash } from 'node:crypto';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { canonicalJson, isoNow } from '@wrongstack/contracts';
import { firstValueFrom, from, type Observable } from 'rxjs';
import type { Authenticated } from '../auth/caller.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ROUTE, type CompiledRoute } from './compiled-route.js';

interface Request extends Authenticated {
  readonly body?: unknown;
  readonly url: string;
}

interface Reply {
  readonly statusCode: number;
  status(code: number): Reply;
  header(name: string, value: string): Reply;
}

const LEASE_MS = 60_000;
const KEPT_MS = 24 * 3_600_000;
const KEY = /^[\x21-\x7e]{1,200}$/;

/** A request that is sent again with its key changes nothing a second time: it gets the first answer. Only around routes that say so. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { contract } = Reflect.getMetadata(ROUTE, context.getHandler()) as CompiledRoute;
    const { idempotency } = contract;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const key = request.headers['idempotency-key'];
    if (key === undefined || idempotency === undefined || idempotency === 'own') return next.handle();
    if (typeof key !== 'string' || !KEY.test(key))
      throw new ApiProblem(400, 'request.invalid', 'Idempotency-Key must have 1 to 200 printable characters');
    return from(this.#once(request, http.getResponse<Reply>(), key, idempotency === 'once', next));
  }

  async #once(
    request: Request,
    reply: Reply,
    text: string,
    secret: boolean,
    next: CallHandler,
  ): Promise<unknown> {
    const { store, clock } = this.control;
    const key = { principal: request.principal?.id ?? 'nobody', route: `POST ${request.url}`, key: text };
    const now = clock.now();
    const digest = createHash('sha256')
      .update(canonicalJson(request.body ?? null))
      .digest('hex');
    const outcome = await store.idempotency.begin(key, digest, {
      at: isoNow(clock),
      leaseUntil: new Date(now + LEASE_MS).toISOString(),
      expiresAt: new Date(now + KEPT_MS).toISOString(),
    });
    switch (outcome.outcome) {
      case 'running':
        throw new ApiProblem(
          409,
          'idempotency.running',
          'the first request with this key is under way: ask again',
          [],
          {
            'retry-after': '1',
          },
        );
      case 'other-request':
        throw new ApiProblem(
          409,
          'idempotency.conflict',
          'this Idempotency-Key was used for another request: take a new one',
        );
      case 'answered': {
        if (secret)
          throw new ApiProblem(
            409,
            'idempotency.shown_once',
            'this was done already, and its answer is shown only once',
          );
        const { status, body } = outcome.answer;
        reply.status(status).header('idempotent-replayed', 'true');
        return body === '' ? undefined : (JSON.parse(body) as unknown);
      }
      case 'mine':
        break;
    }
    try {
      const answer: unknown = await firstValueFrom(next.handle(), { defaultValue: undefined });
      const body = secret || answer === undefined ? '' : JSON.stringify(answer);
      await store.idempotency.finish(key, { status: reply.statusCode, headers: {}, body });
      return answer;
    } catch (error) {
      // It failed, so nothing is promised: the same key may be tried again.
      await store.idempotency.abandon(key).catch(() => undefined);
      throw error;
    }
  }
}
