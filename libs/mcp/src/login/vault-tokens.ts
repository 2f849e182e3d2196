import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { SecretVault } from '@wrongstack/contracts';
import type { HttpServer } from '../client/server-config.js';
import { McpError } from '../mcp-error.js';

/** What is kept of one server's login. One sealed entry of the vault, bound to the address that it was made for. */
interface StoredLogin {
  readonly url: string;
  readonly client?: OAuthClientInformationMixed;
  readonly tokens?: OAuthTokens;
}

/** Logins at remote servers. */
export class VaultTokens {
  constructor(private readonly vault: SecretVault) {}

  /** For a session: uses and refreshes what is stored, asks nobody. Undefined where nobody has logged in. */
  async providerFor(server: HttpServer): Promise<OAuthClientProvider | undefined> {
    return (await this.#read(server))?.tokens === undefined ? undefined : this.provider(server, null);
  }

  /** `ask` null = nobody is there to log in. */
  provider(
    server: HttpServer,
    ask: { readonly redirectUrl: string; readonly state: string; open(url: URL): void } | null,
  ): OAuthClientProvider {
    let verifier = '';
    const update = async (change: Partial<StoredLogin>): Promise<void> => {
      const before = await this.#read(server);
      await this.vault.set(entry(server), JSON.stringify({ ...before, ...change, url: server.url.href }));
    };
    const clientMetadata: OAuthClientMetadata = {
      client_name: 'wrongstack',
      redirect_uris: [ask?.redirectUrl ?? 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    return {
      redirectUrl: ask?.redirectUrl ?? 'http://127.0.0.1/callback',
      clientMetadata,
      state: () => ask?.state ?? '',
      clientInformation: async () => (await this.#read(server))?.client,
      saveClientInformation: (client) => update({ client }),
      tokens: async () => (await this.#read(server))?.tokens,
      saveTokens: (tokens) => update({ tokens }),
      redirectToAuthorization: (url) => {
        if (ask !== null) return ask.open(url);
        throw new McpError('mcp.login_needed', server.name, 'the login has expired', {
          hint: `wstack mcp login ${server.name}`,
        });
      },
      saveCodeVerifier: (value) => {
        verifier = value;
      },
      codeVerifier: () => verifier,
      invalidateCredentials: async (scope) => {
        if (scope === 'all') await this.forget(server.name);
        if (scope === 'tokens') await update({ tokens: undefined });
        if (scope === 'client') await update({ client: undefined });
      },
    };
  }

  /** False when nothing was stored. */
  forget(server: string): Promise<boolean> {
    return this.vault.remove(entry({ name: server }));
  }

  async #read(server: HttpServer): Promise<StoredLogin | undefined> {
    const text = await this.vault.get(entry(server));
    if (text === undefined) return undefined;
    const stored = JSON.parse(text) as StoredLogin;
    // Tokens go to the server that they were given for and to no other under its name.
    return stored.url === server.url.href ? stored : undefined;
  }
}

function entry({ name }: { readonly name: string }): string {
  return `mcp-login-${name}`;
}
