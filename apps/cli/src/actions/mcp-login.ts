import { type ClientIdentity, logIn, McpError, serverOf, VaultTokens } from '@wrongstack/mcp';
import type { Host } from '../app/host.js';
import { onInterrupt } from '../app/on-interrupt.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { withHost } from './with-host.js';

export interface McpLoginOptions extends CommonOptions {
  readonly clientId?: string;
  /** Name of the client's secret among the credentials. */
  readonly clientCredential?: string;
}

/** Authorise at a remote server. The address goes to stderr: the person opens it, wherever their browser is. */
export function mcpLogin([name = '']: readonly string[], options: McpLoginOptions): Promise<number> {
  return withHost(options, async (host, output) => {
    const server = remoteServer(host, name);
    const identity = await identityOf(host, name, options);
    const controller = new AbortController();
    const stop = onInterrupt(() => controller.abort());
    try {
      await logIn(server, {
        tokens: new VaultTokens(host.vault),
        open: (url) => output.note(`open this page to log in:\n${url.href}`),
        signal: controller.signal,
        identity,
      });
    } finally {
      stop();
    }
    if (output.json) output.writeJson({ server: name, loggedIn: true });
    else output.say(`logged in at ${server.url.host}`);
    return EXIT.done;
  });
}

export function mcpLogout([name = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async (host, output) => {
    const removed = await new VaultTokens(host.vault).forget(name);
    if (output.json) output.writeJson({ server: name, removed });
    else output.say(removed ? `the login at ${name} is forgotten` : `there was no login at ${name}`);
    return EXIT.done;
  });
}

async function identityOf(
  host: Host,
  server: string,
  { clientId, clientCredential }: McpLoginOptions,
): Promise<ClientIdentity> {
  if (clientId === undefined) return {};
  if (clientCredential === undefined) return { registered: { client_id: clientId } };
  const secret = await host.credentials.find(clientCredential);
  if (secret === undefined) {
    throw new McpError('mcp.login_failed', server, `the credential ${clientCredential} is not stored`, {
      hint: `wstack auth set ${clientCredential}`,
    });
  }
  return { registered: { client_id: clientId, client_secret: secret } };
}

function remoteServer({ config }: Host, name: string) {
  const section = config.current.mcp ?? {};
  const settings = Object.hasOwn(section, name) ? section[name] : undefined;
  if (settings === undefined) throw new McpError('mcp.unknown_server', name, 'nobody configured it');
  const server = serverOf({ ...settings, name });
  if (server.kind === 'http') return server;
  throw new McpError(
    'mcp.invalid_config',
    name,
    'is a program of this machine: there is nothing to log in to',
  );
}
