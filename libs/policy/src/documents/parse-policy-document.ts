import { deepFreeze } from '@wrongstack/contracts';
import { checkDocument, type DocumentProblem } from './check-document.js';
import { type DocumentSource, invalid, InvalidDocument, readDocumentSource } from './document-source.js';
import type { PolicyDocument } from './policy-document.js';
import { describeSchemaErrors, type SchemaError } from './schema-errors.js';

interface SchemaValidator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

let validator: SchemaValidator | undefined;

/**
 * A policy document from its text: YAML 1.2 or JSON, checked against the schema and then for what a schema cannot say.
 * Throws `policy.invalid` with one line that names file, line and field.
 */
export async function parsePolicyDocument(
  text: string,
  source: { readonly file: string },
): Promise<PolicyDocument> {
  const read = await readDocumentSource(text, source.file);
  const [problem] = inOrder(await problemsIn(read.value), read, source.file);
  if (problem !== undefined) throw problem;
  // The schema has just vouched for the shape.
  return deepFreeze(read.value as PolicyDocument);
}

/** Data that is parsed already (a draft, a bundle): the same checks, without line numbers. */
export async function checkPolicyDocument(
  value: unknown,
  source: { readonly file: string },
): Promise<PolicyDocument> {
  return parsePolicyDocument(JSON.stringify(value), source);
}

/** The JSON Schema of policy documents, for editors. */
export async function policySchema(): Promise<Readonly<Record<string, unknown>>> {
  const { POLICY_SCHEMA } = await import('./policy-validator.js');
  return POLICY_SCHEMA;
}

/** Nobody mends more before they look again. */
const MOST_PROBLEMS = 100;

/**
 * Everything that keeps a text from being a policy, as far as it can be read, in the order of the text, for those who write one.
 * Empty = it is one.
 */
export async function policyProblems(
  text: string,
  source: { readonly file: string },
): Promise<readonly InvalidDocument[]> {
  try {
    const read = await readDocumentSource(text, source.file);
    return inOrder(await problemsIn(read.value), read, source.file);
  } catch (error) {
    if (error instanceof InvalidDocument) return [error];
    throw error;
  }
}

function inOrder(
  problems: readonly DocumentProblem[],
  read: DocumentSource,
  file: string,
): readonly InvalidDocument[] {
  return problems
    .slice(0, MOST_PROBLEMS)
    .map(({ pointer, what, next }) => invalid(file, read.placeOf(pointer), pointer, what, next))
    .sort(
      ({ place: a }, { place: b }) => (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0),
    );
}

async function problemsIn(value: unknown): Promise<readonly DocumentProblem[]> {
  if (validator === undefined) {
    const generated = await import('./policy-validator.js');
    validator = generated.createPolicyValidator();
  }
  if (!validator(value)) return describeSchemaErrors(validator.errors ?? []);
  return checkDocument(value as PolicyDocument);
}
