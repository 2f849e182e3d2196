import { WrongStackError } from '@wrongstack/contracts';

/** Reads one value or throws `bundle.malformed`. `at` names the field. */
export type Reader<T> = (value: unknown, at: string) => T;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

/** Exactly these members: one that nobody knows could mean that something must be enforced which we do not understand. */
export function shape<T extends object>(members: { readonly [K in keyof T]: Reader<T[K]> }): Reader<T> {
  const names = Object.keys(members);
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw malformed(at, 'is no object');
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(members, name)) throw malformed(`${at}/${name}`, 'is not known here');
    }
    const read = names.map((name) => {
      const member: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
      // The keys of `members` are those of T, each with its reader.
      return [name, members[name as keyof T](member, `${at}/${name}`)] as const;
    });
    return Object.fromEntries(read) as T;
  };
}

export const text =
  (maxLength: number): Reader<string> =>
  (value, at) => {
    if (typeof value === 'string' && value !== '' && value.length <= maxLength) return value;
    throw malformed(at, `is no text of 1 to ${maxLength} characters`);
  };

export const exactly =
  <T extends string>(expected: T): Reader<T> =>
  (value, at) => {
    if (value === expected) return expected;
    throw malformed(at, `is not ${expected}`);
  };

export const whole =
  (minimum: number): Reader<number> =>
  (value, at) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum) return value;
    throw malformed(at, `is no whole number from ${minimum}`);
  };

export const time: Reader<string> = (value, at) => {
  if (typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value))) return value;
  throw malformed(at, 'is no time in UTC');
};

export const base64url =
  (bytes: number): Reader<string> =>
  (value, at) => {
    if (
      typeof value === 'string' &&
      /^[\w-]+$/.test(value) &&
      Buffer.from(value, 'base64url').length === bytes
    )
      return value;
    throw malformed(at, `is not ${bytes} bytes in base64url`);
  };

export const listOf =
  <T>(item: Reader<T>, most: number): Reader<readonly T[]> =>
  (value, at) => {
    if (!Array.isArray(value) || value.length > most) throw malformed(at, `is no list of at most ${most}`);
    return value.map((one, index) => item(one, `${at}/${index}`));
  };

export function malformed(at: string, what: string): WrongStackError {
  return new WrongStackError('bundle.malformed', `${at} ${what}: the answer was refused`, { path: at });
}
