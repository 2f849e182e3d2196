import { readFile } from 'node:fs/promises';
import { codeOf, WrongStackError } from '@wrongstack/contracts';
import { parsePolicyDocument, type PolicyDocument } from '@wrongstack/policy';

/** Parse policy files that were named on the command line. Throws what is wrong with the first bad one. */
export async function loadDocuments(files: readonly string[]): Promise<readonly PolicyDocument[]> {
  const documents: PolicyDocument[] = [];
  for (const file of files) documents.push(await parsePolicyDocument(await readPolicy(file), { file }));
  return documents;
}

async function readPolicy(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new WrongStackError('policy.unreadable', `${file}: cannot be read (${codeOf(error)})`, {
      cause: error,
      hint: 'name a policy document',
    });
  }
}
