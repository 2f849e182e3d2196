import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiProblem } from '../errors/api-problem.js';
import { ROUTE, type CompiledRoute } from './compiled-route.js';

interface Request {
  readonly body?: unknown;
  readonly query: unknown;
  readonly params: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * What arrives is what the contract says, or the handler never sees it. A guard, behind the one that knows the caller: for an interceptor
 * Nest puts an observable around each request.
 */
@Injectable()
export class ContractGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
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
    return true;
  }
}
