import { belongsToEmoji, isHidden, spelled } from '@wrongstack/contracts/hidden-characters';

/** `hidden`: a character that would be obeyed or not be seen, spelled out. */
export interface TextPart {
  readonly text: string;
  readonly hidden: boolean;
}

const PLAIN = /^[\n\t\x20-\x7e]*$/;

/** Text as a person must see it: line ends and tabs stay, whatever else is hidden becomes a part of its own. */
export function visibleParts(text: string): readonly TextPart[] {
  if (text === '') return [];
  if (PLAIN.test(text)) return [{ text, hidden: false }];
  const parts: TextPart[] = [];
  const characters = Array.from(text.replaceAll('\r\n', '\n'));
  let plain = '';
  for (const [index, character] of characters.entries()) {
    const code = character.codePointAt(0) ?? 0;
    const shown =
      character === '\n' || character === '\t' || !isHidden(code) || belongsToEmoji(characters, index, code);
    if (shown) plain += character;
    else {
      if (plain !== '') parts.push({ text: plain, hidden: false });
      plain = '';
      parts.push({ text: spelled(code), hidden: true });
    }
  }
  if (plain !== '') parts.push({ text: plain, hidden: false });
  return parts;
}

/** The same without markup: for titles, labels and what is copied into attributes. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => part.text)
    .join('');
}
