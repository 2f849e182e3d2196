import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { ApiProblem } from '../errors/api-problem.js';
import { ROUTE, type CompiledRoute } from './route.handler.js';

interface Request {
  readonly body?: unknown;
  readonly query: unknown;
  readonly params: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What arrives is what the contract says, or the handler never sees it. */
@Injectable()
export class ContractInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const route = Reflect.getMetadata(ROUTE, context.getHandler()) as CompiledRoute;
    const request = context.switchToHttp().getRequest<Request>();
    route.checkParams(request.params);
    route.checkQuery(request.query);
    if (route.checkBody !== null) route.checkBody(request.body);
    else if (request.body !== undefined && request.body !== null)
      throw new ApiProblem(422, 'request.invalid', 'this route takes no body: leave it out');
    if (route.contract.concurrency === 'if-match' && request.headers['if-match'] === undefined) {
      throw new ApiProblem(
        428,
        'request.if_match_required',
        'send If-Match with the ETag that you have read',
      );
    }
    return next.handle();
  }
}
