import type { Disposer } from '@wrongstack/contracts';
import { WrongStackError } from '@wrongstack/contracts';
import { once } from '../disposal/disposal-scope.js';
import { type ContainerKey, nameOfKey } from './tokens.js';

/** A value, or a factory that makes it once, when it is first resolved. */
export type Binding<T> = { readonly value: T } | { readonly factory: (container: Container) => T };

/**
 * A small map from keys to values for authors of plugins and tests. The host itself is wired by plain constructor
 * arguments; nothing in the kernel resolves its dependencies here.
 */
export class Container {
  readonly #bindings = new Map<
    ContainerKey<unknown>,
    { binding: Binding<unknown>; made: boolean; value: unknown }
  >();
  readonly #making = new Set<ContainerKey<unknown>>();

  /** Bind or rebind; the disposer brings the previous binding back. */
  bind<T>(key: ContainerKey<T>, binding: Binding<T>): Disposer {
    const previous = this.#bindings.get(key);
    const entry = { binding, made: false, value: undefined as unknown };
    this.#bindings.set(key, entry);
    return once(() => {
      if (this.#bindings.get(key) !== entry) return;
      if (previous === undefined) this.#bindings.delete(key);
      else this.#bindings.set(key, previous);
    });
  }

  has(key: ContainerKey<unknown>): boolean {
    return this.#bindings.has(key);
  }

  /** Throws `container.unbound` or `container.cycle`. */
  resolve<T>(key: ContainerKey<T>): T {
    const entry = this.#bindings.get(key);
    if (entry === undefined) {
      throw new WrongStackError(
        'container.unbound',
        `nothing is bound to ${nameOfKey(key)}; bind it before resolving`,
      );
    }
    if (!entry.made) {
      entry.value = 'value' in entry.binding ? entry.binding.value : this.#make(key, entry.binding.factory);
      entry.made = true;
    }
    // The key's type parameter is what bind() checked the binding against.
    return entry.value as T;
  }

  #make(key: ContainerKey<unknown>, factory: (container: Container) => unknown): unknown {
    if (this.#making.has(key)) {
      const path = [...this.#making, key].map(nameOfKey).join(' -> ');
      throw new WrongStackError('container.cycle', `container factories need each other: ${path}`);
    }
    this.#making.add(key);
    try {
      return factory(this);
    } finally {
      this.#making.delete(key);
    }
  }
}
