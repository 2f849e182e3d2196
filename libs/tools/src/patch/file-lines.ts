/** A line of a file with its own ending; the last one may have none. */
export interface FileLine {
  readonly text: string;
  readonly ending: string;
}

/** The emptiness after a last line ending is no line. */
export function splitFile(text: string): FileLine[] {
  const lines: FileLine[] = [];
  const ending = /\r\n|\n|\r/g;
  let from = 0;
  for (let hit = ending.exec(text); hit !== null; hit = ending.exec(text)) {
    lines.push({ text: text.slice(from, hit.index), ending: hit[0] });
    from = hit.index + hit[0].length;
  }
  if (from < text.length) lines.push({ text: text.slice(from), ending: '' });
  return lines;
}

export function joinFile(lines: readonly FileLine[]): string {
  return lines.map((line) => line.text + line.ending).join('');
}

/** The ending for a new line at `index`: of the line that it replaces, else of the nearest line that has one. */
export function endingFor(lines: readonly FileLine[], index: number): string {
  const has = (line: FileLine | undefined): line is FileLine => line !== undefined && line.ending !== '';
  if (has(lines[index])) return lines[index].ending;
  for (let above = Math.min(index, lines.length) - 1; above >= 0; above -= 1) {
    const line = lines[above];
    if (has(line)) return line.ending;
  }
  return lines.find(has)?.ending ?? '\n';
}
