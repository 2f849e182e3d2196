import type { RouteContract } from './route-contract.js';

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
