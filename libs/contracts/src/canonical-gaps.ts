import { canonicalJson } from './canonical-json.js';

/**
 * Canonical JSON of an object of which some members change while the rest stays: what stays is written once. `fill` gives, letter by
 * letter, what `canonicalJson` gives for the whole object.
 */
export class CanonicalGaps<Gap extends string> {
  readonly #gaps: readonly Gap[];
  /** One more than there are gaps: each stands behind the text of its index. */
  readonly #texts: readonly string[];

  /** `gaps`: names of members that are always there, in the object or not. */
  constructor(object: Readonly<Record<string, unknown>>, gaps: readonly Gap[]) {
    const isGap = new Set<string>(gaps);
    const names = [...new Set([...Object.keys(object), ...gaps])].sort();
    const texts: string[] = [];
    let text = '{';
    let separator = '';
    for (const name of names) {
      if (!isGap.has(name) && object[name] === undefined) continue;
      text += `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      if (isGap.has(name)) {
        texts.push(text);
        text = '';
      } else text += canonicalJson(object[name]);
    }
    this.#texts = [...texts, `${text}}`];
    this.#gaps = [...gaps].sort();
  }

  /** Characters that are kept. */
  get length(): number {
    return this.#texts.reduce((sum, text) => sum + text.length, 0);
  }

  /** Each text is the JSON of a member. */
  fill(members: Readonly<Record<Gap, string>>): string {
    let text = this.#texts[0] ?? '';
    this.#gaps.forEach((gap, index) => {
      text += members[gap] + (this.#texts[index + 1] ?? '');
    });
    return text;
  }
}
