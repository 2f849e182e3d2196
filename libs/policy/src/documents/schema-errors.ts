/** What the validator says about one failed keyword. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Keywords that only collect what others found. */
const COLLECTORS: ReadonlySet<string> = new Set(['if', 'anyOf', 'oneOf', 'allOf']);

/** The one error that helps most: the deepest that is no mere collector. */
export function describeSchemaErrors(errors: readonly SchemaError[]): {
  readonly pointer: string;
  readonly what: string;
  readonly next: string;
} {
  const own = errors.filter((error) => !COLLECTORS.has(error.keyword));
  const depth = (error: SchemaError) => error.instancePath.split('/').length;
  const deepest = (own.length > 0 ? own : errors).reduce<SchemaError | null>(
    (best, error) => (best === null || depth(error) > depth(best) ? error : best),
    null,
  );
  if (deepest === null) return { pointer: '', what: 'is no policy', next: 'see the policy format' };
  const { instancePath, params } = deepest;
  const name = (key: string) => String(params[key]);
  switch (deepest.keyword) {
    case 'additionalProperties':
      return {
        pointer: `${instancePath}/${name('additionalProperty')}`,
        what: 'is an unknown key',
        next: 'remove it or correct its name',
      };
    case 'required':
      return { pointer: instancePath, what: `lacks ${name('missingProperty')}`, next: 'add it' };
    case 'enum':
      return {
        pointer: instancePath,
        what: 'has a value that is not known',
        next: `use one of ${listed(params['allowedValues'])}`,
      };
    case 'const':
      return {
        pointer: instancePath,
        what: 'has a value that is not known',
        next: `it must be ${JSON.stringify(params['allowedValue'])}`,
      };
    default:
      return { pointer: instancePath, what: deepest.message ?? 'is wrong', next: 'correct it' };
  }
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join(', ') : 'the known values';
}
