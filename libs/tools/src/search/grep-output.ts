import type { GrepFile, GrepMode } from './grep-query.js';
import { lineName } from './line-name.js';

const MOST_NAMED = 5;

/**
 * The text of one search, grown file by file up to its limit. Grouped by file, since a path on every line costs more
 * than all else: `12: ` before a match, `12- ` before a line around it.
 */
export class GrepOutput {
  readonly parts: string[] = [];
  matches = 0;
  files = 0;
  full = false;
  private readonly binary = new Set<string>();

  constructor(
    private readonly mode: GrepMode,
    private readonly limit: number,
  ) {}

  add(path: string, file: GrepFile): 'more' | 'stop' {
    if (this.mode !== 'content') {
      if (this.files === this.limit) return this.stop();
      this.files += 1;
      this.matches += file.matches;
      this.parts.push(this.mode === 'count' ? `${lineName(path)}: ${file.matches}` : lineName(path));
      return 'more';
    }
    if (this.matches === this.limit) return this.stop();
    this.files += 1;
    this.parts.push((this.parts.length > 0 ? '\n' : '') + lineName(path));
    return this.addLines(file);
  }

  addBinary(path: string): void {
    this.binary.add(path);
  }

  /** One line, however many they are; null = none. */
  binaryNote(): string | null {
    const [first, ...rest] = [...this.binary].sort();
    if (first === undefined) return null;
    if (rest.length === 0) return `a binary file matches and is not shown: ${lineName(first)}`;
    const named = [first, ...rest].slice(0, MOST_NAMED).map(lineName).join(', ');
    const more = this.binary.size > MOST_NAMED ? ', …' : '';
    return `${this.binary.size} binary files match and are not shown: ${named}${more}`;
  }

  private addLines(file: GrepFile): 'more' | 'stop' {
    let last = 0;
    const withContext = file.lines.some((line) => !line.match);
    for (const line of file.lines) {
      if (line.match && this.matches === this.limit) return this.stop();
      if (line.match) this.matches += 1;
      // A gap between two pieces of context.
      if (withContext && last > 0 && line.number > last + 1) this.parts.push('--');
      this.parts.push(`${line.number}${line.match ? ':' : '-'} ${line.text}`);
      last = line.number;
    }
    return 'more';
  }

  private stop(): 'stop' {
    this.full = true;
    return 'stop';
  }
}
