import { createHash } from 'node:crypto';

/** sha256 of a signed payload: the ETag of its bundle. */
export function digestOf(payload: string): string {
  return createHash('sha256').update(payload).digest('hex');
}
