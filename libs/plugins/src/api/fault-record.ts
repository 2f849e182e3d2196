import { messageOf } from '@wrongstack/contracts';
import type { PluginErrorCode } from '../loader/plugin-error.js';

/** Something that went wrong in a plugin that is loaded, as `plugin list` shows it. */
export interface PluginFault {
  readonly code: PluginErrorCode;
  readonly message: string;
  readonly times: number;
}

const MOST = 20;
const MOST_TEXT = 500;

/** The faults of one plugin. Equal ones are counted, so that a listener that always throws stays one line. */
export class FaultRecord {
  readonly #faults = new Map<string, PluginFault>();

  constructor(private readonly onFault: (code: PluginErrorCode, message: string) => void = () => undefined) {}

  add(code: PluginErrorCode, thrown: unknown): void {
    const message = messageOf(thrown).slice(0, MOST_TEXT);
    this.onFault(code, message);
    const key = `${code} ${message}`;
    const known = this.#faults.get(key);
    if (known === undefined && this.#faults.size >= MOST) return;
    this.#faults.set(key, { code, message, times: (known?.times ?? 0) + 1 });
  }

  list(): readonly PluginFault[] {
    return [...this.#faults.values()];
  }
}
