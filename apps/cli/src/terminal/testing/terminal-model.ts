import { graphemes, textWidth } from '../graphemes.js';

/**
 * A small terminal: enough of one to see what a person would see. Rows that scroll out stay in `history`. An escape
 * sequence that it does not know is an error, so nothing unexpected is ever written to a terminal unnoticed.
 */
export class TerminalModel {
  readonly history: string[] = [];
  private rows: string[][];
  private row = 0;
  private column = 0;
  bytes = '';

  constructor(
    private readonly columns: number,
    private readonly height: number,
  ) {
    this.rows = Array.from({ length: height }, () => []);
  }

  write(text: string): void {
    this.bytes += text;
    const pattern = /\x1b\[([?0-9;]*)([A-Za-z])|\r|\n|[^\x1b\r\n]+|[\s\S]/g;
    for (const match of text.matchAll(pattern)) this.apply(match);
  }

  /** What is on the screen, without empty rows at the end. */
  visible(): string[] {
    const rows = this.rows.map((cells) => cells.join('').trimEnd());
    while (rows.at(-1) === '') rows.pop();
    return rows;
  }

  everything(): string[] {
    return [...this.history, ...this.visible()];
  }

  cursor(): { row: number; column: number } {
    return { row: this.row, column: this.column };
  }

  private apply(match: RegExpMatchArray): void {
    const [whole, parameters = '', final] = match;
    if (whole === '\r') this.column = 0;
    else if (whole === '\n') this.lineFeed();
    else if (final !== undefined) this.control(parameters, final);
    else if (whole.startsWith('\x1b')) throw new Error(`unknown sequence ${JSON.stringify(whole)}`);
    else this.print(whole);
  }

  private control(parameters: string, final: string): void {
    const count = Number(parameters === '' ? 1 : parameters);
    switch (final) {
      case 'A':
        this.row = Math.max(0, this.row - count);
        return;
      case 'B':
        this.row = Math.min(this.height - 1, this.row + count);
        return;
      case 'C':
        this.column = Math.min(this.columns - 1, this.column + count);
        return;
      case 'G':
        this.column = count - 1;
        return;
      case 'K':
        this.current().length = Math.min(this.current().length, this.column);
        return;
      case 'J':
        this.current().length = Math.min(this.current().length, this.column);
        for (let row = this.row + 1; row < this.height; row += 1) this.rows[row] = [];
        return;
      case 'm':
        return;
      case 'h':
      case 'l':
        if (parameters === '?25' || parameters === '?2004') return;
    }
    throw new Error(`unknown sequence CSI ${parameters}${final}`);
  }

  private print(text: string): void {
    for (const grapheme of graphemes(text)) {
      const width = textWidth(grapheme);
      if (this.column + width > this.columns) {
        this.column = 0;
        this.lineFeed();
      }
      const cells = this.current();
      while (cells.length < this.column) cells.push(' ');
      cells[this.column] = grapheme;
      for (let extra = 1; extra < width; extra += 1) cells[this.column + extra] = '';
      this.column += width;
    }
  }

  private lineFeed(): void {
    if (this.row < this.height - 1) this.row += 1;
    else {
      this.history.push((this.rows.shift() ?? []).join('').trimEnd());
      this.rows.push([]);
    }
  }

  private current(): string[] {
    return (this.rows[this.row] ??= []);
  }
}
