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
  /** What the server said a call needs beyond what was granted, as scopes with spaces between. */
  readonly wanted?: string;
}

/** How we introduce ourselves, where that is not left to the server. */
export interface ClientIdentity {
  /** Registered beforehand, for servers that register nobody themselves. */
  readonly registered?: OAuthClientInformationMixed;
  /** Address of a document about us that is our id as well, for servers that take one. */
  readonly metadataUrl?: string;
}

/** The person who logs in. */
export interface LoginPage {
  readonly redirectUrl: string;
  readonly state: string;
  open(url: URL): void;
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
    ask: LoginPage | null,
    { registered, metadataUrl }: ClientIdentity = {},
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
      ...(metadataUrl !== undefined && { clientMetadataUrl: metadataUrl }),
      state: () => ask?.state ?? '',
      clientInformation: async () => (await this.#read(server))?.client ?? registered,
      saveClientInformation: (client) => update({ client }),
      tokens: async () => (await this.#read(server))?.tokens,
      saveTokens: (tokens) => update({ tokens }),
      redirectToAuthorization: async (url) => {
        const wanted = united((await this.#read(server))?.wanted, url.searchParams.get('scope'));
        if (ask !== null) {
          if (wanted !== '') url.searchParams.set('scope', wanted);
          return ask.open(url);
        }
        // The next login asks for it at once.
        if (wanted !== '') await update({ wanted });
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

  /** Before a new login: the old one goes, and what it lacked stays known. */
  async startOver(server: HttpServer, { registered }: ClientIdentity): Promise<void> {
    const wanted = (await this.#read(server))?.wanted;
    await this.forget(server.name);
    if (wanted === undefined && registered === undefined) return;
    const kept = {
      url: server.url.href,
      ...(registered && { client: registered }),
      ...(wanted !== undefined && { wanted }),
    };
    await this.vault.set(entry(server), JSON.stringify(kept satisfies StoredLogin));
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

function united(...scopes: readonly (string | null | undefined)[]): string {
  return [...new Set(scopes.flatMap((scope) => (scope ?? '').split(' ')))]
    .filter((one) => one !== '')
    .join(' ');
}

function entry({ name }: { readonly name: string }): string {
  return `mcp-login-${name}`;
}
