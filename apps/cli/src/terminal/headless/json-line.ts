import { isHidden } from '@wrongstack/contracts';

/**
 * `JSON.stringify` leaves DEL, C1, bidi and zero-width characters raw, and a line may well be read on a terminal: they
 * become JSON escapes, so nothing is lost for a parser and nothing is obeyed or hidden for a reader.
 */
export function jsonLine(value: unknown): string {
  return `${escapeJson(JSON.stringify(value))}\n`;
}

/** For any JSON text, also an indented one: line feeds between tokens stay. */
export function escapeJson(json: string): string {
  if (/^[\n\x20-\x7e]*$/.test(json)) return json;
  let out = '';
  for (const character of json) {
    const code = character.codePointAt(0) ?? 0;
    out += character !== '\n' && isHidden(code) ? units(character) : character;
  }
  return out;
}

function units(character: string): string {
  let out = '';
  for (let index = 0; index < character.length; index += 1) {
    out += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return out;
}
