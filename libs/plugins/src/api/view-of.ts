/**
 * An object of the same class that can do what `members` say and nothing else: a method that is left out finds none of the
 * private fields that it needs, and throws.
 */
export function viewOf<T extends object>(real: T, members: Partial<T>): T {
  const prototype = Object.getPrototypeOf(real) as object | null;
  // It has the members of T that its users may call, and is an instance of T's class.
  return Object.freeze(Object.create(prototype, Object.getOwnPropertyDescriptors(members))) as T;
}
