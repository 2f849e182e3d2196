import { realpath } from 'node:fs/promises';
import { WrongStackError, codeOf } from '@wrongstack/contracts';

/** The real path of the project's folder, or of another one that paths must stay below. Throws `path.no_project`. */
export async function realRoot(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    throw new WrongStackError(
      'path.no_project',
      `the project folder ${folder} cannot be used (${codeOf(error)}): start again in one that exists`,
      { cause: error },
    );
  }
}
