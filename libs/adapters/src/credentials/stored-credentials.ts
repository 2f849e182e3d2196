import type { SecretScrubber, SecretVault } from '@wrongstack/contracts';
import { CredentialResolver } from '@wrongstack/contracts';

export interface StoredCredentialsOptions {
  readonly vault: SecretVault;
  /** Variables by name, as the app read them. They win over the vault. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Learns every value that is handed out, so that it is masked wherever it turns up. */
  readonly scrubber: SecretScrubber;
  /** Names that no tool gets: the keys of model providers. */
  readonly reserved?: readonly string[];
}

/** Credentials from the environment or the vault. */
export class StoredCredentials extends CredentialResolver {
  constructor(private readonly options: StoredCredentialsOptions) {
    super();
  }

  /**
   * For a tool. Only core tools are served from the environment: a plugin that declares the name of any variable would
   * read it otherwise, while what lies in the vault was put there for tools by a person.
   */
  override async resolve(request: {
    readonly name: string;
    readonly tool: string;
    readonly owner: string;
  }): Promise<string | undefined> {
    if (this.options.reserved?.includes(request.name) === true) return undefined;
    return request.owner === 'core' ? this.find(request.name) : this.handOut(await this.stored(request.name));
  }

  /** For the app itself: a provider's key. */
  async find(name: string): Promise<string | undefined> {
    const { environment } = this.options;
    const variable = Object.hasOwn(environment, name) ? environment[name] : undefined;
    return this.handOut(
      variable !== undefined && variable.trim() !== '' ? variable.trim() : await this.stored(name),
    );
  }

  private stored(name: string): Promise<string | undefined> {
    return this.options.vault.get(name);
  }

  private handOut(value: string | undefined): string | undefined {
    if (value !== undefined) this.options.scrubber.learn(value);
    return value;
  }
}
