/**
 * Which options a program may be given. An allow-list: an option that is not named here may run a program or write a
 * file, now or in the program's next version, so it is refused. Abbreviations are refused by the same token.
 */
export interface OptionRule {
  /** `gnu`: `-abc`, `-n5`, `--name=value`. `single`: `-name`, `--name` alike (go, tsc). */
  readonly style?: 'gnu' | 'single';
  /** Letters of short options without a value. Digits are always allowed (`-5`). */
  readonly short?: string;
  /** Letters of short options whose value may follow in the same word. */
  readonly valued?: string;
  /** Long options with their dashes; in style `single` without. */
  readonly long?: readonly string[];
  /** Checks the words that are no options. Returns what is wrong, or null. */
  readonly operands?: (words: readonly string[]) => string | null;
}

/** `any` = no option of the program runs something or writes anything. */
export type Options = 'any' | OptionRule;

/** What is wrong with these words, or null. */
export function refusedOption(words: readonly string[], options: Options): string | null {
  if (options === 'any') return null;
  const operands: string[] = [];
  for (const [index, word] of words.entries()) {
    if (word === '--') {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') operands.push(word);
    else if (!isAllowed(word, options)) return `option ${word} is not allowed here`;
  }
  return options.operands?.(operands) ?? null;
}

function isAllowed(word: string, rule: OptionRule): boolean {
  const [name = ''] = word.split('=', 1);
  if (rule.style === 'single') return rule.long?.includes(name.replace(/^--?/, '')) ?? false;
  if (word.startsWith('--')) return rule.long?.includes(name) ?? false;
  for (const letter of word.slice(1)) {
    if (rule.valued?.includes(letter) === true) return true;
    if (rule.short?.includes(letter) !== true && !/\d/.test(letter)) return false;
  }
  return true;
}

/** A list of words as one text: tables of options stay readable. */
export function words(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}
