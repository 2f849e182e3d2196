import { deepFreeze } from '@wrongstack/contracts';
import { checkDocument } from './check-document.js';
import { invalid, readDocumentSource } from './document-source.js';
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
  const { value } = read;
  await checkSchema(value, (pointer, what, next) => {
    throw invalid(source.file, read.lineOf(pointer), pointer, what, next);
  });
  // The schema has just vouched for the shape.
  const document = value as PolicyDocument;
  const [problem] = checkDocument(document);
  if (problem !== undefined) {
    throw invalid(source.file, read.lineOf(problem.pointer), problem.pointer, problem.what, problem.next);
  }
  return deepFreeze(document);
}

/** Data that is parsed already (a draft, a bundle): the same checks, without line numbers. */
export async function checkPolicyDocument(
  value: unknown,
  source: { readonly file: string },
): Promise<PolicyDocument> {
  return parsePolicyDocument(JSON.stringify(value), source);
}

async function checkSchema(
  value: unknown,
  refuse: (pointer: string, what: string, next: string) => never,
): Promise<void> {
  if (validator === undefined) {
    const generated = await import('./policy-validator.js');
    validator = generated.createPolicyValidator();
  }
  if (validator(value)) return;
  const { pointer, what, next } = describeSchemaErrors(validator.errors ?? []);
  refuse(pointer, what, next);
}
