/** Text in which half of a surrogate pair is U+FFFD: it can be encoded, stored and sent. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/**
 * Why the operating system cannot take a text as it is, as a file name or as a word of a command: a NUL byte would end
 * it, and for half of a pair it would be handed another character than was decided on. Undefined = it can.
 */
export function faultOfWord(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL byte';
  return /\p{Surrogate}/u.test(text) ? 'holds half of a surrogate pair' : undefined;
}

/** The first `most` UTF-16 units at the most, without cutting a pair in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}
