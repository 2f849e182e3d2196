import { canonicalJson, deepFreeze, messageOf } from '@wrongstack/contracts';
import type { Config, ConfigReader, Disposer, EventMap, Logger } from '@wrongstack/contracts';
import { once } from '../disposal/disposal-scope.js';
import { checkLayer } from './config-layer.js';
import type { ConfigLayer } from './config-layer.js';
import { mergeLayers } from './load-config.js';

export type ConfigListener = (next: Config, previous: Config) => void;

/** The configuration in force: frozen snapshots, replaced as a whole. */
export class ConfigStore implements ConfigReader {
  #current: Config;
  readonly #listeners = new Set<ConfigListener>();
  readonly #log: Pick<Logger, 'warn'> | undefined;
  readonly #onChange: (change: EventMap['config.changed']) => void;

  constructor(
    initial: Config,
    options: {
      readonly log?: Pick<Logger, 'warn'>;
      readonly onChange?: (change: EventMap['config.changed']) => void;
    } = {},
  ) {
    this.#current = deepFreeze(initial);
    this.#log = options.log;
    this.#onChange = options.onChange ?? (() => undefined);
  }

  get current(): Config {
    return this.#current;
  }

  /** Merge a patch over the current snapshot. Throws `config.invalid` and changes nothing when it does not fit. */
  update(patch: ConfigLayer): Config {
    const previous = this.#current;
    const next = deepFreeze(mergeLayers([previous, checkLayer(patch, 'update')]));
    const keys = changedKeys(previous, next);
    if (keys.length === 0) return previous;
    this.#current = next;
    // Copied: a listener may stop watching while it is being told.
    for (const listener of [...this.#listeners]) this.#tell(listener, next, previous);
    this.#onChange({ keys });
    return next;
  }

  watch(listener: ConfigListener): Disposer {
    // A wrapper per watcher, so that one function watching twice is removed one at a time.
    const entry: ConfigListener = (next, previous) => listener(next, previous);
    this.#listeners.add(entry);
    return once(() => this.#listeners.delete(entry));
  }

  #tell(listener: ConfigListener, next: Config, previous: Config): void {
    try {
      listener(next, previous);
    } catch (error) {
      this.#log?.warn('a listener of the configuration failed', { message: messageOf(error) });
    }
  }
}

/** Sections that differ in content. */
export function changedKeys(previous: Config, next: Config): readonly string[] {
  const names = new Set([...Object.keys(previous), ...Object.keys(next)]);
  return [...names]
    .filter((key) => canonicalJson(previous[key] ?? null) !== canonicalJson(next[key] ?? null))
    .sort();
}
