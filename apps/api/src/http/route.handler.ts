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
} from '@nestjs/common';
import { callerOf, type Authenticated } from '../auth/caller.js';
import type { RouteContract } from './route-contract.js';
import { bodyCheck, parameterCheck } from './schema-check.js';

/** Under this key a handler carries its contract and the checks that were compiled from it. */
export const ROUTE = 'wrongstack:route';

export interface CompiledRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly contract: RouteContract;
  readonly checkBody: ((body: unknown) => void) | null;
  readonly checkQuery: (query: unknown) => void;
  readonly checkParams: (params: unknown) => void;
}

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
  return applyDecorators(VERBS[method](path), HttpCode(status), SetMetadata(ROUTE, route));
}

/** The principal that the guard let through. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<Authenticated>()),
);
