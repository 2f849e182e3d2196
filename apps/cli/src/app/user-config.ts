import { lstat, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureAgentHome } from '@wrongstack/adapters';
import { messageOf } from '@wrongstack/contracts';
import { checkLayer, type ConfigLayer, isRecord, readLayerFile } from '@wrongstack/kernel';
import { usageError } from '../report-error.js';

/** Set one key of the file (`['provider', 'model']`); the file is replaced whole, or not at all. Returns the value. */
export async function updateUserConfig(
  file: string,
  keys: readonly string[],
  value: unknown,
): Promise<unknown> {
  // A home that can be none is said before what cannot be read below it.
  ensureAgentHome(path.dirname(file), 'read');
  const before = (await readLayerFile(file)) ?? {};
  if (!isRecord(before)) return void checkLayer(before, file);
  const after = changed(before, withValue(before, keys, value), file);
  ensureAgentHome(path.dirname(file), 'write');
  const target = await targetOf(file);
  const temporary = `${target}.${String(process.pid)}.tmp`;
  try {
    await writeFile(temporary, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600 });
    await rename(temporary, target);
  } finally {
    await rm(temporary, { force: true });
  }
  return value;
}

/** Whoever keeps the file elsewhere and links to it keeps the link: what it names is replaced. One to nothing was refused when it was read. */
async function targetOf(file: string): Promise<string> {
  const found = await lstat(file).catch(() => null);
  return found?.isSymbolicLink() === true ? realpath(file) : file;
}

/** Throws `usage.invalid` where the change is at fault, and `config.invalid` where the file was wrong before it. */
function changed(before: ConfigLayer, after: ConfigLayer, file: string): ConfigLayer {
  try {
    return checkLayer(after, file);
  } catch (error) {
    checkLayer(before, file);
    throw usageError(`${messageOf(error)}; nothing was changed`, 'wstack config get', error);
  }
}

function withValue(layer: ConfigLayer, [key = '', ...rest]: readonly string[], value: unknown): ConfigLayer {
  if (key === '' || key === '__proto__') throw usageError('that is no key', 'keys look like provider.model');
  if (rest.length === 0) return { ...layer, [key]: value };
  const inner = Object.hasOwn(layer, key) ? layer[key] : {};
  return { ...layer, [key]: withValue(isRecord(inner) ? inner : {}, rest, value) };
}
