import { readTextIfThere, UnreadableFile, WrongStackError } from '@wrongstack/contracts';

/** Settings are written by people: more than this is not them. */
const MAX_BYTES = 1024 * 1024;

/** Null where there is no file. Throws `config.unreadable` for what is there and is no text. */
export async function readConfigText(file: string): Promise<string | null> {
  try {
    return await readTextIfThere(file, { mostBytes: MAX_BYTES });
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new WrongStackError('config.unreadable', error.message, {
      cause: error,
      hint: 'put it right or remove it',
    });
  }
}
