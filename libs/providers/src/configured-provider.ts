import { type Config, type Provider, WrongStackError } from '@wrongstack/contracts';
import { defaultCredentials } from './built-in-providers.js';

/** Where providers and their keys come from. */
export interface ProviderSourceParts {
  readonly providers: { create(type: string, settings: unknown): Provider };
  readonly credentials: { find(name: string): Promise<string | undefined> };
}

/** Name of the credential that a provider section asks for; undefined = none is needed. */
export function credentialName({ provider }: Pick<Config, 'provider'>): string | undefined {
  return provider.credential ?? defaultCredentials[provider.type];
}

/** What to write after `wstack auth set`: the provider's type stands for its usual credential. */
export function storedAs({ provider }: Pick<Config, 'provider'>): string {
  return provider.credential ?? provider.type;
}

/**
 * The configured provider with its key, which the scrubber has learnt by then: nothing that echoes it is ever shown.
 * Throws `provider.no_key` before any request is made without one.
 */
export async function configuredProvider(parts: ProviderSourceParts, config: Config): Promise<Provider> {
  const { type, baseUrl, script } = config.provider;
  const name = credentialName(config);
  const apiKey = name === undefined ? undefined : await parts.credentials.find(name);
  if (name !== undefined && apiKey === undefined && baseUrl === undefined) {
    throw new WrongStackError('provider.no_key', `no key for ${type}: ${name} is not set`, {
      hint: `wstack auth set ${storedAs(config)}, or see it work without one: wstack demo`,
    });
  }
  return parts.providers.create(type, {
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(name !== undefined && { credential: name }),
    ...(script !== undefined && { script }),
  });
}
