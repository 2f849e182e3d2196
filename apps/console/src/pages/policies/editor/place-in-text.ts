export interface Place {
  /** Names of members from the top; `-` is an item of a list. */
  readonly path: readonly string[];
  /** Behind a colon, or in a list on one line: a value is typed, and no name. */
  readonly inValue: boolean;
}

interface Level {
  readonly column: number;
  readonly name: string;
}

/** Where the end of this text is in the document, by indentation, and by the brackets that are open on its line. */
export function placeAt(text: string): Place {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const above = lines.reduce<readonly Level[]>((levels, line) => {
    const { levels: dashed, column, rest } = behindDashes(levels, line);
    const name = /^([\w.-]+):(?:\s|$)/.exec(rest)?.[1];
    return name === undefined
      ? rest.trim() === ''
        ? levels
        : dashed
      : [...outside(dashed, column), { column, name }];
  }, []);
  const { levels, column, rest } = behindDashes(above, last);
  return within(
    rest,
    outside(levels, column).map(({ name }) => name),
  );
}

/** Each `- ` opens an item. A list may stand as far to the left as the name that it belongs to. */
function behindDashes(
  above: readonly Level[],
  line: string,
): { levels: readonly Level[]; column: number; rest: string } {
  const lead = /^\s*(?:- +)*/.exec(line)?.[0] ?? '';
  let levels = above;
  for (const { index: column } of lead.matchAll(/-/g)) {
    levels = levels.filter(
      (level) => level.column < column || (level.column === column && level.name !== '-'),
    );
    levels = [...levels, { column, name: '-' }];
  }
  return { levels, column: lead.length, rest: line.slice(lead.length) };
}

function outside(levels: readonly Level[], column: number): readonly Level[] {
  return levels.filter((level) => level.column < column);
}

const TOKENS = /"(?:[^"\\]|\\.)*"?|'[^']*'?|[{}[\],]|:(?=\s|$)|[^\s{}[\],:]+/g;

/** What is open on the line itself: `when: { command: { argv: [`. */
function within(line: string, above: readonly string[]): Place {
  const path = [...above];
  const opened: number[] = [];
  let name: string | null = null;
  let behindColon = false;
  for (const [token] of line.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      opened.push(path.length);
      if (behindColon && name !== null) path.push(name);
      if (token === '[') path.push('-');
    } else if (token === '}' || token === ']') path.length = opened.pop() ?? 0;
    behindColon = token === ':';
    if (!behindColon) name = token;
  }
  if (behindColon && name !== null) return { path: [...path, name], inValue: true };
  return { path, inValue: opened.length > 0 && path.at(-1) === '-' };
}
