import type { ToolOptions } from '@wrongstack/contracts';
import { escapeForPipe } from '../../terminal/escape-text.js';

/**
 * What a terminal shows of a command: its output with secrets masked and control characters spelled out, as everywhere
 * else. Text is held back as long as the masking needs it.
 */
export class TerminalScreen {
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  readonly #scrub: ReturnType<NonNullable<ToolOptions['scrubStream']>> | null;
  #waiting: string[] = [];
  #show: ((text: string) => void) | null = null;

  constructor(title: string, scrubStream: ToolOptions['scrubStream']) {
    this.#scrub = scrubStream?.() ?? null;
    this.#say(`$ ${title}\n`);
  }

  readonly take = (stream: 'stdout' | 'stderr', bytes: Buffer): void => {
    const text = this.#decoders[stream].decode(bytes, { stream: true });
    this.#say(this.#scrub?.push(text) ?? text);
  };

  on(show: (text: string) => void): void {
    this.#show = show;
    for (const text of this.#waiting.splice(0)) show(text);
  }

  end(): void {
    this.#say(this.#scrub?.end() ?? '');
  }

  #say(text: string): void {
    if (text === '') return;
    const shown = escapeForPipe(text);
    if (this.#show === null) this.#waiting.push(shown);
    else this.#show(shown);
  }
}
