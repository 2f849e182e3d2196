import { type CustomSessionEntry, messageOf, WrongStackError } from '@wrongstack/contracts';
import type { PluginAPI } from '@wrongstack/kernel';
import type { PluginHost } from './plugin-host.js';

const BUILT_IN_ENTRY = /^[a-z_]+$/;

/** The session's log as one plugin sees it: entries of its own, which cannot pass for the agent's. */
export function sessionSurface(plugin: string, host: PluginHost): PluginAPI['session'] {
  return {
    async append(given) {
      const entry = readEntry(plugin, given);
      if (BUILT_IN_ENTRY.test(entry.type)) {
        throw new WrongStackError(
          'plugin.sealed',
          `plugin ${plugin}: session entry ${entry.type} is built in`,
          { hint: `name yours ${plugin}:event` },
        );
      }
      await host.appendToSession(entry);
    },
  };
}

/** As JSON has it, read once: what an author's code hands over may be anything. Throws `session.invalid`. */
function readEntry(plugin: string, given: unknown): CustomSessionEntry {
  const { type, ts, ...rest } = copyOf(plugin, given);
  const fault =
    typeof type !== 'string' || type === ''
      ? 'a type, a text'
      : typeof ts !== 'string' || Number.isNaN(Date.parse(ts))
        ? 'ts, an ISO 8601 time'
        : null;
  if (fault !== null || typeof type !== 'string' || typeof ts !== 'string')
    throw invalid(plugin, fault ?? '');
  return { type, ts, ...rest };
}

function copyOf(plugin: string, given: unknown): Readonly<Record<string, unknown>> {
  try {
    // Undefined for undefined, whatever its type says.
    const text = JSON.stringify(given) as string | undefined;
    const copy: unknown = JSON.parse(text ?? 'null');
    return typeof copy === 'object' && copy !== null ? (copy as Readonly<Record<string, unknown>>) : {};
  } catch (error) {
    throw invalid(plugin, `what JSON can hold: ${messageOf(error)}`, error);
  }
}

function invalid(plugin: string, wanted: string, cause?: unknown): WrongStackError {
  return new WrongStackError('session.invalid', `plugin ${plugin}: a session entry needs ${wanted}`, {
    cause,
  });
}
