/** Shorter ones would mask ordinary text. */
const SHORTEST = 4;

/** Exact values to mask, in the spellings in which they appear in JSON and in addresses. */
export class ExactSecrets {
  private readonly byFirst = new Map<string, string[]>();
  private spellings = 0;

  /** How many there are: they only become more. */
  get count(): number {
    return this.spellings;
  }

  get empty(): boolean {
    return this.byFirst.size === 0;
  }

  learn(secret: string): void {
    const spellings = [secret, JSON.stringify(secret).slice(1, -1), encoded(secret)];
    for (const spelling of new Set(spellings)) {
      if (spelling.length < SHORTEST) continue;
      const first = spelling.charAt(0);
      const others = this.byFirst.get(first) ?? [];
      if (others.includes(spelling)) continue;
      this.spellings += 1;
      // Longest first: a secret that continues another one is masked whole.
      this.byFirst.set(
        first,
        [...others, spelling].sort((a, b) => b.length - a.length),
      );
    }
  }

  /** Length of the longest secret at this place, 0 for none; `open` when more text is needed to tell. */
  lengthAt(text: string, index: number, ended: boolean): number | 'open' {
    for (const secret of this.byFirst.get(text.charAt(index)) ?? []) {
      if (text.startsWith(secret, index)) return secret.length;
      const left = text.length - index;
      if (!ended && left < secret.length && secret.startsWith(text.slice(index))) return 'open';
    }
    return 0;
  }
}

/** Masks exact secrets in a stream; holds back what could be the beginning of one. */
export class ExactStream {
  private pending = '';

  constructor(private readonly secrets: ExactSecrets) {}

  push(chunk: string): string {
    return this.scan(chunk, false);
  }

  end(): string {
    return this.scan('', true);
  }

  private scan(chunk: string, ended: boolean): string {
    const text = this.pending + chunk;
    this.pending = '';
    if (this.secrets.empty) return text;
    let out = '';
    let copied = 0;
    for (let index = 0; index < text.length;) {
      const found = this.secrets.lengthAt(text, index, ended);
      if (found === 'open') {
        this.pending = text.slice(index);
        return out + text.slice(copied, index);
      }
      if (found === 0) {
        index += 1;
        continue;
      }
      out += `${text.slice(copied, index)}***`;
      index += found;
      copied = index;
    }
    return out + text.slice(copied);
  }
}

function encoded(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    // Half a surrogate pair has no such spelling.
    return secret;
  }
}
