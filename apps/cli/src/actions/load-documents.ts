import { readTextFile, UnreadableFile, WrongStackError } from '@wrongstack/contracts';
import { parsePolicyDocument, type PolicyDocument } from '@wrongstack/policy';

/** As for those in force. */
const MOST_BYTES = 1024 * 1024;

/** Parse policy files that were named on the command line. Throws what is wrong with the first bad one. */
export async function loadDocuments(files: readonly string[]): Promise<readonly PolicyDocument[]> {
  const documents: PolicyDocument[] = [];
  for (const file of files) documents.push(await parsePolicyDocument(await readPolicyText(file), { file }));
  return documents;
}

/** Throws `usage.policy_file`: what was named on the command line is no file that can be read. */
export async function readPolicyText(file: string): Promise<string> {
  return readTextFile(file, { mostBytes: MOST_BYTES }).catch((error: unknown) => {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new WrongStackError('usage.policy_file', error.message, {
      cause: error,
      hint: 'name a policy document',
    });
  });
}
