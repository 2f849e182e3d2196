import { indented, line, span, wrapLine, type Line } from './lines.js';
import type { Look } from './theme.js';

/** What the person sent, as the transcript keeps it. */
export function messageLines(text: string, look: Look): Line[] {
  const rows = text.split('\n').flatMap((row) => wrapLine(line(span(row, 'strong')), look.columns - 2, ''));
  return [line(), ...rows.map((row, index) => indented(row, index === 0 ? '> ' : '  ', 'strong'))];
}
