import type { MetricLabels } from '@wrongstack/contracts';
import type { DropReason } from './dropped-samples.js';
import { cleanLabel, isWord } from './label-text.js';
import type { MetricDefinition } from './metric-definition.js';
import type { Series } from './series.js';

export interface FamilyLimits {
  /** Different values of one label. */
  readonly values: number;
  /** Lines of one metric, a histogram counted once. */
  readonly series: number;
}

export const OTHER = 'other';

type Node<Line> = Map<string, Node<Line> | Line>;

export type LabelFault = Extract<DropReason, `label_${string}`>;

/**
 * The lines of one metric. Found by walking one map a label, which makes no text and no object a sample: that is what makes
 * recording cheap. Values beyond the limits share the line `other`, so that nothing a caller makes up takes memory.
 */
export class MetricFamily<Line extends Series> {
  readonly lines: Line[] = [];
  readonly #root: Node<Line> = new Map();
  readonly #known: readonly Set<string>[];
  readonly #labels: readonly string[];
  #bare: Line | null = null;

  constructor(
    readonly definition: MetricDefinition,
    private readonly make: (values: readonly string[]) => Line,
    private readonly limits: FamilyLimits,
    private readonly onOverflow: (metric: string) => void,
  ) {
    this.#labels = definition.labels;
    this.#known = definition.labels.map(() => new Set([OTHER]));
  }

  /** The line of these labels, made where there is none; or what is wrong with them. */
  line(labels: MetricLabels = {}): Line | LabelFault {
    const wanted = this.#labels;
    let given = 0;
    for (const name in labels) if (Object.hasOwn(labels, name)) given += 1;
    if (given !== wanted.length) return given < wanted.length ? 'label_missing' : 'label_undeclared';
    if (given === 0) return (this.#bare ??= this.#add([]));
    let node: Node<Line> | Line | undefined = this.#root;
    for (let index = 0; index < given; index += 1) {
      // Within the array's length. A plugin may pass anything at all for a text.
      const value: unknown = labels[wanted[index] as string];
      node = node instanceof Map && typeof value === 'string' ? node.get(value) : undefined;
      if (node === undefined) return this.#slowly(labels);
    }
    // A path as long as the labels ends at a line.
    return node as Line;
  }

  #slowly(labels: MetricLabels): Line | LabelFault {
    const values: string[] = [];
    let over = false;
    for (const [index, name] of this.#labels.entries()) {
      const given: unknown = labels[name];
      if (!Object.hasOwn(labels, name)) return 'label_undeclared';
      if (typeof given !== 'string') return 'label_not_text';
      const value = cleanLabel(given);
      // One set a label, made in the constructor.
      const known = this.#known[index] as Set<string>;
      const isLegal = isWord(value) || !(this.definition.words ?? []).includes(name);
      const fits = isLegal && (known.has(value) || known.size <= this.limits.values);
      over ||= !fits;
      values.push(fits ? value : OTHER);
    }
    let line = this.#find(values);
    if (line === undefined && this.lines.length >= this.limits.series) {
      over = true;
      line = this.#find(values.map(() => OTHER));
      if (line === undefined) values.fill(OTHER);
    }
    if (over) this.onOverflow(this.definition.name);
    return line ?? this.#add(values);
  }

  #find(values: readonly string[]): Line | undefined {
    let node: Node<Line> | Line | undefined = this.#root;
    for (const value of values) node = node instanceof Map ? node.get(value) : undefined;
    return node instanceof Map ? undefined : node;
  }

  #add(values: readonly string[]): Line {
    const line = this.make(values);
    this.lines.push(line);
    let node = this.#root;
    for (const [index, value] of values.entries()) {
      (this.#known[index] as Set<string>).add(value);
      if (index === values.length - 1) {
        node.set(value, line);
        break;
      }
      const next = node.get(value);
      if (next instanceof Map) node = next;
      else {
        const made: Node<Line> = new Map();
        node.set(value, made);
        node = made;
      }
    }
    return line;
  }
}
