import { changedKeys, SecretScrubber } from '@wrongstack/contracts';
import { CredentialDiff } from './credential-diff.js';
import { ExactSecrets, ExactStream } from './exact-stream.js';
import type { NameKind } from './secret-names.js';
import { kindOfName } from './secret-names.js';
import { TextScrubber } from './text-scrubber.js';
import { MASK } from './word-masker.js';
import { WordStream } from './word-stream.js';

const DEEPEST = 64;

export interface PatternScrubberOptions {
  /** Of which files a diff shows no line: a path as git names it, with or without `a/`. Default: none. */
  readonly isCredentialFile?: (path: string) => boolean;
}

/**
 * Finds secrets by their format, by the name that they stand under, and by exact value. A text and a stream of it in
 * any pieces give the same result: both run through the same machine.
 */
export class PatternSecretScrubber extends SecretScrubber {
  private readonly exact = new ExactSecrets();

  constructor(private readonly options: PatternScrubberOptions = {}) {
    super();
  }

  override scrub(text: string): string {
    const stream = this.stream();
    return stream.push(text) + stream.end();
  }

  override stream(): { push(chunk: string): string; end(): string } {
    const exact = new ExactStream(this.exact);
    const words = new WordStream(new TextScrubber());
    // First, as it needs the file names as they are.
    const diff = new CredentialDiff(this.options.isCredentialFile ?? (() => false));
    return {
      push: (chunk) => words.push(exact.push(diff.push(chunk))),
      end: () => words.push(exact.push(diff.end()) + exact.end()) + words.end(),
    };
  }

  override scrubValue<T>(value: T): T {
    // The shape stays; strings are replaced by strings.
    return this.clean(value, 'plain', new Set(), 0) as T;
  }

  /** Another number whenever something was learned that masks more: what was scrubbed before may then come out otherwise. */
  get edition(): number {
    return this.exact.count;
  }

  override learn(secret: string): void {
    this.exact.learn(secret);
  }

  private clean(value: unknown, kind: NameKind, above: Set<object>, depth: number): unknown {
    if (typeof value === 'string') return this.cleanText(value, kind);
    // Counters live under the names of tokens; a numeric password does not.
    if (typeof value === 'number') return kind === 'secret' ? MASK : value;
    if (typeof value !== 'object' || value === null) return value;
    if (above.has(value)) return '[circular]';
    if (depth >= DEEPEST) return '[deeper]';
    above.add(value);
    const copy = this.cleanObject(value, kind, above, depth + 1);
    above.delete(value);
    return copy;
  }

  private cleanText(text: string, kind: NameKind): string {
    if (kind === 'plain' || text === '') return this.scrub(text);
    return kind === 'token' && /^\d{1,9}$/.test(text) ? text : MASK;
  }

  private cleanObject(value: object, kind: NameKind, above: Set<object>, depth: number): unknown {
    if (Array.isArray(value)) return value.map((item: unknown) => this.clean(item, kind, above, depth));
    if (value instanceof Date || ArrayBuffer.isView(value)) return value;
    if (value instanceof Error) return { name: value.name, message: this.scrub(value.message) };
    const entries: [string, unknown][] = Object.entries(value);
    const names = changedKeys(
      entries.map(([key]) => key),
      (key) => this.scrub(key),
    );
    const members = entries.map(([key, member], index) => {
      const own = kindOfName(key);
      const cleaned = this.clean(member, own === 'plain' ? kind : own, above, depth);
      return [names[index] ?? MASK, cleaned] as const;
    });
    // `fromEntries` defines own members: a key `__proto__` stays data.
    return Object.fromEntries(members);
  }
}
