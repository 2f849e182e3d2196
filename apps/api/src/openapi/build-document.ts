import { draftViewSchema } from '@wrongstack/contracts/wire';
import { WrongStackError } from '@wrongstack/contracts';
import type { CompiledRoute } from '../http/compiled-route.js';
import type { Answer, RouteContract, Schema } from '../http/route-contract.js';

/** A handler as it was found on a controller: with its contract, or without one. */
export interface FoundRoute {
  readonly controller: string;
  readonly handler: string;
  /** The controller's own path. */
  readonly prefix: string;
  readonly route: CompiledRoute | null;
}

type Json = Readonly<Record<string, unknown>>;

const PROBLEM = 'application/problem+json';
const PROBLEM_SCHEMA: Schema = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', description: 'Stable: match this, never the text.' },
    detail: { type: 'string', description: 'What is wrong, where, and what to do next.' },
    requestId: { type: 'string' },
    current: {
      description: 'Of a 412 about a draft: what somebody else saved meanwhile; null = it is gone.',
      anyOf: [draftViewSchema, { type: 'null' }],
    },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

/** The OpenAPI 3.1 document of all routes. Throws `api.route_unguarded` for a handler without a contract. */
export function buildDocument(version: string, routes: readonly FoundRoute[]): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { controller, handler, prefix, route } of routes) {
    if (route === null) {
      throw new WrongStackError(
        'api.route_unguarded',
        `${controller}.${handler} can be reached without a guard: declare it with @Route`,
      );
    }
    const path = pathOf(prefix, route.path);
    const operations = (paths[path] ??= {});
    operations[route.method.toLowerCase()] = operation(controller, handler, path, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'WrongStack control plane',
      version,
      description:
        'Policies, approvals, audit, identities and governed work. Errors are problem+json with a stable code.',
    },
    security: [{ bearer: [] }, { session: [] }],
    paths: sorted(paths),
    components: {
      schemas: { Problem: PROBLEM_SCHEMA },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-wrongstack',
          description: 'Of a browser; what changes something also needs the header x-wrongstack-csrf.',
        },
      },
    },
  };
}

function operation(controller: string, handler: string, path: string, route: CompiledRoute): Json {
  const { contract } = route;
  const { ability, body, bodyExample } = contract;
  return {
    operationId: `${lowerFirst(controller.replace(/Controller$/, ''))}${upperFirst(handler)}`,
    summary: contract.summary,
    tags: [controller.replace(/Controller$/, '')],
    ...access(ability),
    parameters: [
      ...pathParameters(path, contract),
      ...queryParameters(contract),
      ...headerParameters(contract),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: body,
                ...(bodyExample === undefined ? {} : { example: bodyExample }),
              },
            },
          },
        }),
    responses: responses(route, path),
  };
}

function access(ability: RouteContract['ability']): Json {
  if (ability === 'public') return { security: [] };
  return { 'x-ability': ability === 'signed-in' ? ability : ability.join(':') };
}

function pathParameters(path: string, { params = {} }: RouteContract): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: params[name] ?? { type: 'string' },
  }));
}

function queryParameters({ query = {} }: RouteContract): Json[] {
  return Object.entries(query).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
}

function headerParameters({ idempotency, concurrency }: RouteContract): Json[] {
  const header = (name: string, required: boolean, description: string): Json => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  });
  return [
    ...(idempotency === undefined
      ? []
      : [
          header('Idempotency-Key', false, 'A repeated request with this key changes nothing a second time.'),
        ]),
    ...(concurrency === undefined
      ? []
      : [header('If-Match', concurrency === 'if-match', 'The ETag that was read.')]),
    ...(concurrency === 'if-match-or-new'
      ? [header('If-None-Match', false, '`*` where there is none yet.')]
      : []),
  ];
}

function responses({ method, contract }: CompiledRoute, path: string): Json {
  const { ability, body, query, answers, problems = {}, idempotency, concurrency } = contract;
  const known: [status: number, description: string][] = [
    [429, 'Too many requests: wait as long as Retry-After says.'],
    [500, 'A fault on our side: it is in the log under this request id.'],
    [503, 'What this needs is away for now: try again.'],
  ];
  if (path.includes('{')) known.push([422, 'An id in the address is none that can be looked up.']);
  if (query !== undefined || method === 'GET' || path.includes('{'))
    known.push([400, 'A parameter does not fit.']);
  if (ability !== 'public') known.push([401, 'No valid credential.'], [403, 'Not allowed by role or scope.']);
  if (idempotency !== undefined)
    known.push(
      [400, 'The key is none.'],
      [409, 'The key was used for another request, or its first is under way.'],
    );
  if (concurrency !== undefined)
    known.push(
      [400, 'If-Match is no ETag of ours.'],
      [412, 'Changed meanwhile: the answer has the current ETag.'],
      [428, 'If-Match is missing.'],
    );
  if (body !== undefined)
    known.push([413, 'The body is too large.'], [422, 'A field does not fit: problems lists them.']);
  known.push(
    ...Object.entries(problems).map(([status, text]) => [Number(status), text] satisfies [number, string]),
  );
  const failures = new Map(known.map(([status, description]) => [String(status), failure(description)]));
  const said = Object.entries(answers).map(
    ([status, answer]) => [status, success(answer, failures.get(status))] as const,
  );
  return { ...Object.fromEntries(failures), ...Object.fromEntries(said) };
}

/** `problem`: what the same status says where it is none of ours. */
function success(
  { description, schema, example, mediaType = 'application/json' }: Answer,
  problem?: Json,
): Json {
  if (schema === undefined) return { description };
  const own = { [mediaType]: { schema, ...(example === undefined ? {} : { example }) } };
  return { description, content: { ...own, ...(problem?.['content'] as Json | undefined) } };
}

function failure(description: string): Json {
  return { description, content: { [PROBLEM]: { schema: { $ref: '#/components/schemas/Problem' } } } };
}

function pathOf(prefix: string, path: string): string {
  const joined = [prefix, path].filter((part) => part !== '').join('/');
  return `/${joined.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')}`;
}

function sorted(paths: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
