/**
 * Shell wildcards within one name; dot files need their dot. Character classes and extended globs match anything, which
 * errs on asking.
 */
export function matchesGlob(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !/^(?:[.[]|[?*+@!]\()/.test(pattern)) return false;
  const simple = pattern.replace(/\[[^\]]*\]?|[?*+@!]?\(.*\)?/g, '*');
  let star = -1;
  let mark = 0;
  let at = 0;
  let index = 0;
  while (at < name.length) {
    if (simple[index] === '*') {
      star = index++;
      mark = at;
    } else if (simple[index] === '?' || simple[index] === name[at]) {
      at++;
      index++;
    } else if (star >= 0) {
      index = star + 1;
      at = ++mark;
    } else return false;
  }
  while (simple[index] === '*') index++;
  return index === simple.length;
}
