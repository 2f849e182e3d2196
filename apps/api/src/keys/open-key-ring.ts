import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Clock, WrongStackError } from '@wrongstack/contracts';
import { type ControlStore } from '@wrongstack/contracts/control';
import {
  generateSigningKey,
  publicKeyText,
  readSigningKey,
  type SigningKey,
} from '@wrongstack/policy/bundle';
import { KeyRing } from './key-ring.js';
import { readPrivateText, writePrivateText } from './private-text-file.js';
import { Seal, SEAL_KEY_BYTES } from './seal.js';

const ROOT = 'root';
/** In the organisation's settings, beside those that people edit: replicas without the root key's file know it from there. */
const ROOT_SETTING = 'rootPublicKey';

/**
 * The keys of this control plane. The first start makes the root key, in `<folder>/root.key`: an operator takes that file away and keeps
 * it safe. `sealKey`: 32 bytes in base64 that all replicas share, or null for one of this machine's own.
 */
export async function openKeyRing(
  store: ControlStore,
  clock: Clock,
  folder: string,
  sealKey: string | null,
): Promise<KeyRing> {
  const seal = new Seal(await readSealKey(folder, sealKey));
  const published = await publishedRoot(store);
  const root = published === null ? await makeRoot(folder) : await readRoot(folder);
  const publicKey = published ?? (root === null ? null : await publishRoot(store, publicKeyText(root)));
  if (publicKey === null)
    throw new WrongStackError('keys.root_away', `${path.join(folder, 'root.key')} is missing`);
  if (root !== null && publicKeyText(root) !== publicKey) {
    throw new WrongStackError(
      'keys.other_root',
      `${path.join(folder, 'root.key')} is not the key that clients have pinned: put the right file there, or remove it`,
    );
  }
  return new KeyRing(store, clock, seal, root, publicKey);
}

async function makeRoot(folder: string): Promise<SigningKey | null> {
  const { privateKeyText } = await import('@wrongstack/policy/bundle');
  const known = await readRoot(folder);
  if (known !== null) return known;
  await writePrivateText(path.join(folder, 'root.key'), privateKeyText(generateSigningKey(ROOT)));
  return readRoot(folder);
}

async function readRoot(folder: string): Promise<SigningKey | null> {
  const text = await readPrivateText(path.join(folder, 'root.key'));
  return text === null ? null : readSigningKey(ROOT, text);
}

async function publishedRoot(store: ControlStore): Promise<string | null> {
  const { value } = await store.identities.settings();
  const found = value[ROOT_SETTING];
  return typeof found === 'string' ? found : null;
}

/** The first one stays: of replicas that start at once, the others take what it wrote. */
async function publishRoot(store: ControlStore, publicKey: string): Promise<string> {
  const { etag, value } = await store.identities.settings();
  const outcome = await store.identities.setSettings({ ...value, [ROOT_SETTING]: publicKey }, etag);
  return outcome.ok ? publicKey : ((await publishedRoot(store)) ?? publicKey);
}

async function readSealKey(folder: string, given: string | null): Promise<Buffer> {
  const file = path.join(folder, 'seal.key');
  if (given === null && (await readPrivateText(file)) === null)
    await writePrivateText(file, randomBytes(SEAL_KEY_BYTES).toString('base64'));
  const key = Buffer.from(given ?? (await readPrivateText(file)) ?? '', 'base64');
  if (key.length === SEAL_KEY_BYTES) return key;
  throw new WrongStackError(
    'keys.seal_invalid',
    `${given === null ? file : 'WRONGSTACK_SEAL_KEY'} must be ${SEAL_KEY_BYTES} bytes in base64`,
  );
}
