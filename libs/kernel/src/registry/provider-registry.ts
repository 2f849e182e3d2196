import { type Disposer, type Provider, type ProviderFactory, WrongStackError } from '@wrongstack/contracts';
import { once } from '../disposal/disposal-scope.js';

/** Model providers by type: the built-in ones, and what plugins add. */
export class ProviderRegistry {
  readonly #factories = new Map<string, ProviderFactory>();

  /** Throws `provider.exists`: nobody replaces a provider that keys are sent to. */
  register(factory: ProviderFactory): Disposer {
    if (this.#factories.has(factory.type)) {
      throw new WrongStackError(
        'provider.exists',
        `a provider of type ${factory.type} is already registered`,
      );
    }
    const { type, family } = factory;
    // A copy: whoever finds a factory in the list could otherwise change what makes the provider that keys are sent to.
    const kept = Object.freeze<ProviderFactory>({ type, family, create: factory.create.bind(factory) });
    this.#factories.set(type, kept);
    return once(() => {
      if (this.#factories.get(type) === kept) this.#factories.delete(type);
    });
  }

  /** Throws `provider.unknown`, or what the factory throws. */
  create(type: string, config: unknown): Provider {
    const factory = this.#factories.get(type);
    if (factory === undefined) {
      const known = [...this.#factories.keys()].join(', ');
      throw new WrongStackError(
        'provider.unknown',
        `no provider of type ${type}; known: ${known || 'none'}`,
        {
          path: '/provider/type',
        },
      );
    }
    return factory.create(config);
  }

  list(): readonly ProviderFactory[] {
    return [...this.#factories.values()];
  }
}
