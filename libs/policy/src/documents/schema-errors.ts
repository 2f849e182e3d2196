import type { DocumentProblem } from './check-document.js';

/** What the validator says about one failed keyword. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Keywords that say no more than that none of several shapes fitted: what was wrong with each comes right before. */
const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);
/** Keywords that only collect what others found. */
const COLLECTORS: ReadonlySet<string> = new Set(['if', 'allOf']);

/** Everything that is wrong, once: a value that fits none of several shapes is one problem, however many shapes there are. */
export function describeSchemaErrors(errors: readonly SchemaError[]): readonly DocumentProblem[] {
  const shown: SchemaError[] = [];
  for (const error of errors) {
    if (COLLECTORS.has(error.keyword)) continue;
    shown.push(CHOICES.has(error.keyword) ? mostHelpful(attemptsBefore(shown, error), error) : error);
  }
  return shown.map(describe);
}

/** Takes away what was said about the single shapes of this choice. */
function attemptsBefore(shown: SchemaError[], choice: SchemaError): readonly SchemaError[] {
  const isAttempt = ({ instancePath, schemaPath }: SchemaError): boolean =>
    (instancePath === choice.instancePath || instancePath.startsWith(`${choice.instancePath}/`)) &&
    // A shape that stands among the definitions is named by its place there.
    (schemaPath.startsWith(`${choice.schemaPath}/`) || !schemaPath.startsWith('#/properties/'));
  let first = shown.length;
  for (; first > 0; first -= 1) {
    const before = shown[first - 1];
    if (before === undefined || !isAttempt(before)) break;
  }
  return shown.splice(first);
}

/** The deepest: the shape that was meant is the one that fitted furthest. */
function mostHelpful(attempts: readonly SchemaError[], choice: SchemaError): SchemaError {
  const depth = ({ instancePath }: SchemaError): number => instancePath.split('/').length;
  return attempts.reduce(
    (best, error) => (best === choice || depth(error) > depth(best) ? error : best),
    choice,
  );
}

function describe({ keyword, instancePath, params, message }: SchemaError): DocumentProblem {
  const name = (key: string) => String(params[key]);
  switch (keyword) {
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
      return { pointer: instancePath, what: message ?? 'is wrong', next: 'correct it' };
  }
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join(', ') : 'the known values';
}
