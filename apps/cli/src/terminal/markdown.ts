import { line, span, wrapLine, type Line, type Span } from './lines.js';
import type { Look } from './theme.js';

/**
 * Assistant text, line by line as it streams: headings and `**bold**` are bold, lists hang, fenced code is left alone.
 * A line is rendered once, when it is complete, so nothing above ever has to be taken back.
 */
export class MarkdownStream {
  private pending = '';
  private fence: string | null = null;

  /** The lines that this text completed. */
  push(text: string, look: Look): Line[] {
    const rows = (this.pending + text).split('\n');
    this.pending = rows.pop() ?? '';
    return rows.flatMap((row) => this.render(row.replace(/\r$/, ''), look));
  }

  /** The line that is still being written, for the live region. */
  partial(look: Look): Line[] {
    return this.pending === '' ? [] : renderRow(this.pending, this.fence !== null, look);
  }

  /** The last line, complete or not; the next text starts afresh. */
  end(look: Look): Line[] {
    const rest = this.pending === '' ? [] : this.render(this.pending, look);
    this.pending = '';
    this.fence = null;
    return rest;
  }

  private render(row: string, look: Look): Line[] {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(row)?.[1];
    if (mark !== undefined && this.fence === null) {
      this.fence = mark;
      return [line(span(row, 'meta'))];
    }
    if (mark !== undefined && this.fence !== null && mark.startsWith(this.fence) && row.trim() === mark) {
      this.fence = null;
      return [line(span(row, 'meta'))];
    }
    return renderRow(row, this.fence !== null, look);
  }
}

function renderRow(row: string, inFence: boolean, look: Look): Line[] {
  if (inFence) return wrapLine(line(row), look.columns, '', 'hard');
  // Plain mode has no bold, so the marks are all that is left of the emphasis.
  if (look.plain) return [line(row)];
  const heading = /^#{1,6}\s+(.*)$/.exec(row)?.[1];
  if (heading !== undefined) return wrapLine(line(...inline(heading, true)), look.columns);
  const indent = /^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+|>\s?)?/.exec(row)?.[0] ?? '';
  return wrapLine(line(...inline(row, false)), look.columns, ' '.repeat(Math.min(indent.length, 12)));
}

/** `**bold**` outside of `code`. Unclosed marks are text. */
function inline(text: string, strong: boolean): Span[] {
  const spans: Span[] = [];
  for (const part of text.split(/(`+[^`]+`+|\*\*(?=\S)[^*]+(?<=\S)\*\*)/)) {
    if (part === '') continue;
    const bold = part.length > 4 && part.startsWith('**') && part.endsWith('**');
    spans.push(bold ? span(part.slice(2, -2), 'strong') : span(part, strong ? 'strong' : 'text'));
  }
  return spans;
}
