import { CredentialResolver, type SecretVault } from '@wrongstack/contracts';
import type { Environment } from '../environment.js';

/**
 * Credentials by name: the environment variable of that name comes first, so that a CI job can bring its own, then the
 * vault. Names are those of environment variables (`ANTHROPIC_API_KEY`).
 */
export class LocalCredentials extends CredentialResolver {
  constructor(
    private readonly environment: Environment,
    private readonly vault: SecretVault,
  ) {
    super();
  }

  override async resolve({ name }: { readonly name: string }): Promise<string | undefined> {
    return (await this.find(name))?.value;
  }

  /** The value and where it came from, for `diag`, which shows the place only. */
  async find(
    name: string,
  ): Promise<{ readonly value: string; readonly from: 'environment' | 'vault' } | undefined> {
    const fromEnvironment = this.environment.variable(name);
    if (fromEnvironment !== undefined && fromEnvironment !== '')
      return { value: fromEnvironment, from: 'environment' };
    const stored = await this.vault.get(name);
    return stored === undefined ? undefined : { value: stored, from: 'vault' };
  }
}
