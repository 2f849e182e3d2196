import {
  applyDecorators,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Post,
  Put,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { callerOf, type Authenticated } from '../auth/caller.js';
import { ROUTE, type CompiledRoute } from './compiled-route.js';
import { IdempotencyInterceptor } from './idempotency.handler.js';
import type { RouteContract } from './route-contract.js';
import { bodyCheck, parameterCheck } from './schema-check.js';

const VERBS = { GET: Get, POST: Post, PUT: Put, DELETE: Delete } as const;
const TEXT = { type: 'string', minLength: 1, maxLength: 200 };

/** A route and all that is promised about it. Handlers have no other way to be reached, and so none is without a guard. */
export function Route(
  method: CompiledRoute['method'],
  path: string,
  contract: RouteContract,
): MethodDecorator {
  const route: CompiledRoute = {
    method,
    path,
    contract,
    checkBody: contract.body === undefined ? null : bodyCheck(contract.body),
    checkQuery: contract.anyQuery === true ? () => undefined : parameterCheck('query', contract.query ?? {}),
    // Those that the controller's own path names are short texts as well.
    checkParams: parameterCheck('path', contract.params ?? {}, TEXT),
  };
  const status =
    Object.keys(contract.answers)
      .map(Number)
      .find((code) => code < 400) ?? 200;
  const { idempotency } = contract;
  // Only there: an interceptor costs each request of its route, with a key or without.
  const repeats = idempotency === 'replay' || idempotency === 'once';
  return applyDecorators(
    VERBS[method](path),
    HttpCode(status),
    SetMetadata(ROUTE, route),
    ...(repeats ? [UseInterceptors(IdempotencyInterceptor)] : []),
  );
}

/** The principal that the guard let through. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<Authenticated>()),
);
