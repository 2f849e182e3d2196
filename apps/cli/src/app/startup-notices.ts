import { nearNames } from '@wrongstack/kernel';
import { escapeText } from '../terminal/escape-text.js';
import { messages } from '../terminal/messages.js';
import type { Host } from './host.js';

const MOST = 5;

/** What somebody meant to restrict and is not in force, one line each: a person has to hear of it before anything is decided. */
export async function startupNotices(host: Host): Promise<readonly string[]> {
  const unread = await host.unreadPolicies();
  return [
    ...(host.ignoredConfig.length === 0
      ? []
      : [`${messages.banner.ignoredFrom}: ${listed(host.ignoredConfig)}`]),
    ...laxNotices(host, unread),
  ];
}

/** For what is served to another program: its own screen is stderr, and the log is what stays. */
export async function reportNotices(host: Host): Promise<void> {
  for (const notice of await startupNotices(host)) {
    process.stderr.write(`wstack: ${escapeText(notice)}\n`);
    host.log.warn(notice);
  }
}

/** The same without what the banner of an interactive session says already. */
export function laxNotices(host: Host, unread: readonly string[]): readonly string[] {
  return [
    ...unknownToolSettings(host),
    ...(unread.length === 0 ? [] : [`${messages.banner.notRead}: ${listed(unread)} · wstack policy lint`]),
  ];
}

/** A server's tools come when the server is up: only `wstack diag`, which waits for it, judges those. */
function unknownToolSettings({ config, kernel }: Host): readonly string[] {
  const known = kernel.tools.list().map(({ name }) => name);
  return Object.keys(config.current.tools)
    .filter((name) => !known.includes(name) && !name.startsWith('mcp__'))
    .map((name) => {
      const [near] = nearNames(name, known);
      return `tools.${name} restricts nothing: no tool is named so${near === undefined ? '' : ` · did you mean ${near}?`}`;
    });
}

function listed(names: readonly string[]): string {
  const more = names.length > MOST ? ` and ${String(names.length - MOST)} more` : '';
  return `${names.slice(0, MOST).join(', ')}${more}`;
}
