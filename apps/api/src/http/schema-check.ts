import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ApiProblem } from '../errors/api-problem.js';
import type { Schema } from './route-contract.js';

/** One field that does not fit. */
export interface FieldProblem {
  /** JSON pointer; the empty text is the whole. */
  readonly path: string;
  readonly message: string;
}

const MOST_PROBLEMS = 20;
const strict = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
const fromText = new Ajv2020({ allErrors: true, strict: true, coerceTypes: true, useDefaults: true });
for (const ajv of [strict, fromText]) addFormats.default(ajv);

const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A check of bodies: throws a 422 problem that lists the fields. Compiled when the route is defined, so that a bad schema stops the start. */
export function bodyCheck(schema: Schema): (body: unknown) => void {
  const validate = strict.compile(schema);
  return (body) => {
    const forbidden = forbiddenKey(body, '');
    if (forbidden !== null) throw invalid(422, 'body', [{ path: forbidden, message: 'this key is refused' }]);
    if (!validate(body)) throw invalid(422, 'body', problemsOf(validate));
  };
}

/** A check of query or path parameters, which arrive as text: numbers and defaults are filled in. Throws a 400 problem. */
export function parameterCheck(
  place: 'query' | 'path',
  properties: Readonly<Record<string, Schema>>,
  others: Schema | false = false,
): (parameters: unknown) => void {
  const validate = fromText.compile({ type: 'object', properties, additionalProperties: others });
  return (parameters) => {
    if (!validate(parameters)) throw invalid(400, place, problemsOf(validate));
  };
}

function invalid(status: number, place: string, problems: readonly FieldProblem[]): ApiProblem {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const where = first === undefined || first.path === '' ? `the ${place}` : `${place} ${first.path}`;
  return new ApiProblem(
    status,
    'request.invalid',
    `${where} ${first?.message ?? 'is invalid'}${more}`,
    problems,
  );
}

function problemsOf(validate: ValidateFunction): FieldProblem[] {
  return (validate.errors ?? []).slice(0, MOST_PROBLEMS).map(problemOf);
}

function problemOf({ instancePath, keyword, message = 'is invalid', params }: ErrorObject): FieldProblem {
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const name: unknown =
      Reflect.get(params, 'additionalProperty') ?? Reflect.get(params, 'unevaluatedProperty');
    return { path: `${instancePath}/${String(name)}`.slice(0, 200), message: 'is no known field: remove it' };
  }
  if (keyword === 'enum') {
    const allowed: unknown = Reflect.get(params, 'allowedValues');
    return { path: instancePath, message: `must be one of ${JSON.stringify(allowed).slice(0, 200)}` };
  }
  return { path: instancePath, message };
}

// JSON.parse makes `__proto__` an own key, which a later copy would turn into a prototype.
function forbiddenKey(value: unknown, path: string): string | null {
  const open: (readonly [unknown, string])[] = [[value, path]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [item, at] = next;
    if (typeof item !== 'object' || item === null) continue;
    for (const key of Object.keys(item)) {
      if (FORBIDDEN.has(key)) return `${at}/${key}`;
      open.push([Reflect.get(item, key), `${at}/${key}`]);
    }
  }
  return null;
}
