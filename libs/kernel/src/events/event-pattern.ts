/** Compile a listener pattern: `*` alone is every event, elsewhere it stands for any characters. No other magic. */
export function compileEventPattern(pattern: string): (name: string) => boolean {
  if (pattern === '*') return () => true;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (name) => name === pattern;
  return (name) => {
    if (!name.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return name.length - last.length >= at && name.endsWith(last);
  };
}
