export type Scope = 'top' | 'class' | 'other';

const CLASS = /\b(?:class|interface|enum|record)\s+[\w$]|\bclass\s*\{|@interface\s/;

/** In what each line of a language with braces starts. `lines` hold code only. */
export function scopesOf(lines: readonly string[]): readonly Scope[] {
  const stack: Scope[] = [];
  // A class was named and its body has not begun.
  let pending = false;
  return lines.map((line) => {
    const scope = stack.at(-1) ?? 'top';
    if (CLASS.test(line)) pending = true;
    for (const character of line) {
      if (character === '{') {
        stack.push(pending ? 'class' : 'other');
        pending = false;
      } else if (character === '}') stack.pop();
      else if (character === ';') pending = false;
    }
    return scope;
  });
}
