import { codeOf } from '@wrongstack/contracts';
import { isRecord, nearNames } from '@wrongstack/kernel';
import { usageError } from '../report-error.js';
import { boot } from './boot.js';
import type { BootRequest } from './boot-request.js';
import type { Host } from './host.js';

/** Names that a change of the configuration brings in: of tools, or of a type of provider. */
interface Named {
  readonly tools: readonly string[];
  readonly providerType: string | undefined;
}

/**
 * Refuses names that nothing here answers to: a restriction of a tool that does not exist restricts nothing, and nobody
 * would notice. Only such a change loads plugins and servers, which bring names of their own. Throws `usage.invalid`.
 */
export async function checkConfiguredNames(
  request: BootRequest,
  keys: readonly string[],
  value: unknown,
): Promise<void> {
  const named = namesIn(keys, value);
  if (named.tools.length === 0 && named.providerType === undefined) return;
  const host = await bootedForNames(request);
  if (host === null) return;
  try {
    refuseUnknownNames(host, keys, value);
  } finally {
    await host.close();
  }
}

/** The same where plugins and servers are loaded already. Throws `usage.invalid`. */
export function refuseUnknownNames({ kernel }: Host, keys: readonly string[], value: unknown): void {
  const named = namesIn(keys, value);
  const tools = kernel.tools.list().map(({ name }) => name);
  for (const name of named.tools) refuseUnknown('tool', name, tools, 'wstack tool list');
  const types = kernel.providers.list().map(({ type }) => type);
  if (named.providerType !== undefined)
    refuseUnknown('provider type', named.providerType, types, types.join(', '));
}

function namesIn(keys: readonly string[], value: unknown): Named {
  const [section, name] = keys;
  if (section === 'tools') {
    const tools = name !== undefined ? [name] : isRecord(value) ? Object.keys(value) : [];
    return { tools, providerType: undefined };
  }
  if (section !== 'provider') return { tools: [], providerType: undefined };
  const type = name === 'type' ? value : name === undefined && isRecord(value) ? value['type'] : undefined;
  // Anything but text is the schema's to refuse.
  return { tools: [], providerType: typeof type === 'string' ? type : undefined };
}

/** Null while the file in place is broken: this change may be the one that puts it right, and the schema still judges it. */
async function bootedForNames(request: BootRequest): Promise<Host | null> {
  try {
    return await boot({ ...request, extensions: 'load' });
  } catch (error) {
    if (codeOf(error).startsWith('config.')) return null;
    throw error;
  }
}

function refuseUnknown(what: string, name: string, known: readonly string[], all: string): void {
  if (known.includes(name)) return;
  const near = nearNames(name, known);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}? all: ${all}` : `known: ${all}`;
  throw usageError(`no ${what} is named ${name}`, hint);
}
