/** Finds and masks secrets in everything that is stored, shown or sent. */
export abstract class SecretScrubber {
  /** Whole text. */
  abstract scrub(text: string): string;
  /** Any JSON-like value: strings are scrubbed, values under secret-looking keys masked, at any depth. */
  abstract scrubValue<T>(value: T): T;
  /** For streams: holds back what could be the start of a secret, so that one across a chunk border is still found. */
  abstract stream(): { push(chunk: string): string; end(): string };
  /** Mask this exact value too from now on (a credential that was just handed out). */
  abstract learn(secret: string): void;
}

/** Encrypted at rest, 0600. Values never reach a log, a result or a terminal. */
export abstract class SecretVault {
  abstract get(name: string): Promise<string | undefined>;
  abstract set(name: string, value: string): Promise<void>;
  /** False when there was none. */
  abstract remove(name: string): Promise<boolean>;
  abstract list(): Promise<readonly { readonly name: string; readonly updatedAt: string }[]>;
}
