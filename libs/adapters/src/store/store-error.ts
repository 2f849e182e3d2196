import { WrongStackError, codeOf, messageOf } from '@wrongstack/contracts';

/** SQLSTATE classes and codes that say "not now", not "never". */
const AWAY = /^(08...|57P0[1-5]|57014|53...|25P03|25006|58...)$/;
const AWAY_ERRNO = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
/** The driver gives these no code. */
const AWAY_MESSAGES =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|not queryable/i;
const SQLITE_AWAY = /^SQLITE_(IOERR|FULL|CANTOPEN|READONLY|PROTOCOL)/;

/** The database ended this transaction in favour of another: it may simply be run again. */
export function isRetryable(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === '40001' || code === '40P01' || code.startsWith('SQLITE_BUSY');
}

/** The connection is of no use any more, or may still be busy with what was given up. */
export function isConnectionLost(thrown: unknown): boolean {
  return (
    AWAY_ERRNO.has(codeOf(thrown)) ||
    /^(08|57P)/.test(codeOf(thrown)) ||
    AWAY_MESSAGES.test(messageOf(thrown))
  );
}

/** What a driver throws, as one of the store's codes. The driver's own words stay in `cause`: they may hold values. */
export function storeError(thrown: unknown): unknown {
  if (thrown instanceof WrongStackError) return thrown;
  const code = codeOf(thrown);
  if (AWAY.test(code) || SQLITE_AWAY.test(code) || isConnectionLost(thrown)) {
    return new WrongStackError(
      'store.unavailable',
      `the database cannot be reached or does not answer (${code})`,
      {
        cause: thrown,
        hint: 'nothing is lost that was acknowledged; it is tried again with the next call',
      },
    );
  }
  if (isRetryable(thrown) || code === '55P03') {
    return new WrongStackError('store.busy', 'the database is busy with others; try again', {
      cause: thrown,
    });
  }
  if (code === '23505' || code.startsWith('SQLITE_CONSTRAINT')) {
    return new WrongStackError('store.conflict', 'something of this name is there already', {
      cause: thrown,
    });
  }
  // What is not of a driver is a mistake of our own, or what the caller's own work has thrown.
  return isDriverError(thrown)
    ? new WrongStackError('store.failed', `the database refused a statement (${code})`, { cause: thrown })
    : thrown;
}

function isDriverError(thrown: unknown): boolean {
  return /^(SQLITE_|[0-9A-Z]{5}$)/.test(codeOf(thrown));
}
