const MOST_CHARACTERS = 120;
const WORD = /^[a-zA-Z0-9][\w.:+-]{0,99}$/;
// The text format ends a line at LF alone, but readers of lines split at others too: only LF has an escape, the rest goes.
const UNPRINTABLE = /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]/g;

/** A label's value as it may be kept: well-formed, short, and of one line but for LF, which is escaped when it is written. */
export function cleanLabel(value: string): string {
  const short = value.length > MOST_CHARACTERS ? value.slice(0, MOST_CHARACTERS) : value;
  return short.replace(/[\ud800-\udfff]/gu, '\ufffd').replace(UNPRINTABLE, '');
}

/** A name, a code or a number: neither a path, nor an address, nor a sentence. */
export function isWord(value: string): boolean {
  return WORD.test(value);
}

export function quoteLabel(value: string): string {
  return `"${value.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"')}"`;
}

export function helpText(help: string): string {
  return help.replace(UNPRINTABLE, '').replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
}
