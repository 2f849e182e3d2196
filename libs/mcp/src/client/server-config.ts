import { digestOf, type McpServerSettings } from '@wrongstack/contracts';
import type { McpServerConfig } from '@wrongstack/kernel';
import { McpError } from '../mcp-error.js';

interface ServerCommon {
  readonly name: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly startTimeoutMs: number;
}

export interface StdioServer extends ServerCommon {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly credentials: readonly string[];
  readonly cwd: string | null;
}

export interface HttpServer extends ServerCommon {
  readonly kind: 'http';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly credential: string | null;
}

export type Server = StdioServer | HttpServer;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;
const CALL_MS = 60_000;
const START_MS = 20_000;

/** Throws `mcp.invalid_config` and says which part does not fit. */
export function serverOf(config: McpServerConfig): Server {
  const name: unknown = config.name;
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new McpError('mcp.invalid_config', String(name), `its name must match ${NAME.source}`);
  }
  const invalid = (fault: string): McpError => new McpError('mcp.invalid_config', name, fault);
  const common = {
    name,
    timeoutMs: positive(config.timeoutMs, CALL_MS, 'timeoutMs', invalid),
    startTimeoutMs: positive(config.startTimeoutMs, START_MS, 'startTimeoutMs', invalid),
  };
  const kind = config.transport ?? (config.url === undefined ? 'stdio' : 'http');
  if (kind === 'http') {
    return {
      ...common,
      kind,
      url: addressOf(config.url, invalid),
      headers: textsOf(config.headers, 'headers', invalid),
      credential: textOf(config.credential, 'credential', invalid),
    };
  }
  // A plugin's own JavaScript may say anything.
  if ((kind as string) !== 'stdio') throw invalid('transport must be stdio or http');
  const { command, args = [], credentials = [] } = config;
  if (typeof command !== 'string' || command === '' || command.includes('\0')) {
    throw invalid('command must name a program');
  }
  if (!isTexts(args)) throw invalid('args must be a list of strings');
  if (!isTexts(credentials)) throw invalid('credentials must be a list of strings');
  const env = textsOf(config.env, 'env', invalid);
  const cwd = textOf(config.cwd, 'cwd', invalid);
  return { ...common, kind, command, args, env, credentials, cwd };
}

/** The configuration's `mcp` section as a list. */
export function serversOf(section: Readonly<Record<string, McpServerSettings>>): readonly McpServerConfig[] {
  return Object.entries(section).map(([name, settings]) => ({ ...settings, name }));
}

/** What the server is, without what it is told in secret: pins of one program do not count for another. */
export function sourceDigest(server: Server): string {
  return server.kind === 'http'
    ? digestOf({ url: server.url.href })
    : digestOf({
        command: server.command,
        args: server.args,
        cwd: server.cwd,
        env: Object.keys(server.env).sort(),
      });
}

/** What every process needs to start at all. Keys of models and of ours are in none of these. */
export function baseEnvironment(
  all: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const names = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'USER', 'LOGNAME'];
  const windows = ['SystemRoot', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'TEMP', 'PATHEXT', 'ComSpec'];
  return Object.fromEntries(
    [...names, ...windows].flatMap((name) => {
      const value = all[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && !one.includes('\0'));
}

function textOf(
  value: string | null | undefined,
  field: string,
  invalid: (fault: string) => McpError,
): string | null {
  if (value === undefined || value === null) return null;
  if (isTexts([value])) return value;
  throw invalid(`${field} must be a string`);
}

function textsOf(
  value: Readonly<Record<string, string>> | undefined,
  field: string,
  invalid: (fault: string) => McpError,
): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  const given: unknown = value;
  if (typeof given === 'object' && given !== null && !Array.isArray(given) && isTexts(Object.values(given)))
    return value;
  throw invalid(`${field} must be an object of strings`);
}

function addressOf(url: string | undefined, invalid: (fault: string) => McpError): URL {
  if (typeof url !== 'string' || !URL.canParse(url)) throw invalid('url must be an address');
  const parsed = new URL(url);
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname);
  if (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && local)) {
    throw invalid('url must be https, or http on this machine');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw invalid('url holds a password; store it with wstack auth and name it as credential');
  }
  return parsed;
}

function positive(
  value: number | undefined,
  missing: number,
  field: string,
  invalid: (fault: string) => McpError,
): number {
  if (value === undefined) return missing;
  if (Number.isFinite(value) && value > 0) return value;
  throw invalid(`${field} must be a positive number of milliseconds`);
}
