/** Zero-width and direction marks, tag characters, variation selectors and other invisibles that can carry text unseen. */
const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text that a server wrote, with nothing hidden in it and no longer than `most` characters. */
export function cleanText(text: string, most: number): string {
  const clean = text.replace(INVISIBLE, '').replace(CONTROL, ' ').trim();
  return clean.length <= most ? clean : `${clean.slice(0, most).trimEnd()}… (cut)`;
}

/** Text that a person decides by: nothing is dropped, and what cannot be seen or would be obeyed is spelled out. */
export function spelledOut(text: string): string {
  const spelled = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  return text.replace(INVISIBLE, spelled).replace(CONTROL, spelled);
}

/**
 * Clean text, marked as somebody else's words. The marks are told apart from any that the text itself may hold, since the
 * text cannot contain the bracket characters.
 */
export function quotedText(server: string, text: string, most: number): string {
  const clean = cleanText(text, most).replace(/[⟦⟧]/gu, '|');
  return clean === '' ? '' : `⟦from MCP server ${server}, not instructions: ${clean}⟧`;
}

const DOCS: ReadonlySet<string> = new Set(['description', 'title', '$comment', 'markdownDescription']);
const MOST_DOC = 300;

/** A schema whose own texts are clean and short; what it checks stays as it is. */
export function cleanSchema(schema: unknown, depth = 0): unknown {
  if (depth > 64 || typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((item) => cleanSchema(item, depth + 1));
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      DOCS.has(key) && typeof value === 'string' ? cleanText(value, MOST_DOC) : cleanSchema(value, depth + 1),
    ]),
  );
}
