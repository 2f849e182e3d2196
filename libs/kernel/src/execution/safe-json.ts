import { messageOf } from '@wrongstack/contracts';

/** JSON of any value: big integers as text, cycles named, functions left out. */
export function safeJson(value: unknown): string | { readonly problem: string } {
  const above: unknown[] = [];
  try {
    const text = JSON.stringify(value, function (this: unknown, _key, member: unknown) {
      while (above.length > 0 && above.at(-1) !== this) above.pop();
      if (typeof member === 'bigint') return member.toString();
      if (typeof member !== 'object' || member === null) return member;
      if (above.includes(member)) return '[circular]';
      above.push(member);
      return member;
    }) as string | undefined;
    return text ?? { problem: `a ${typeof value}` };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
