import { join } from 'node:path';
import {
  JsonFault,
  parseStrictJson,
  readTextIfThere,
  UnreadableFile,
  WrongStackError,
} from '@wrongstack/contracts';
import { ensurePrivateFolder, writePrivateFile } from '../files/private-files.js';

/** That this machine, or this account, belongs to a control plane. Stays when the identity is dropped. */
export interface Enrolment {
  /** Without a trailing slash. */
  readonly server: string;
  /** Raw Ed25519 public key in base64url. Everything signed is believed from here upwards. */
  readonly rootKey: string;
  /** By an administrator; nothing that a person owns can change it. */
  readonly managed: boolean;
  /** Decisions before this moment are the person's own; null = all are shipped. */
  readonly since: string | null;
}

export interface EnrolmentPlaces {
  /** Where only an administrator writes. */
  readonly managedFolder: string | null;
  /** `~/.wrongstack/control`. */
  readonly folder: string;
}

const OWN_FILE = 'enrolment.json';
const MOST_BYTES = 1024 * 1024;

/**
 * The managed enrolment, else the account's own, else null. A file that is there and cannot be read or understood is an
 * error, never "not enrolled": `enrolment.unreadable`.
 */
export async function readEnrolment({ managedFolder, folder }: EnrolmentPlaces): Promise<Enrolment | null> {
  if (managedFolder !== null) {
    const file = join(managedFolder, 'managed.json');
    const managed = await readJson(file);
    const control = managed === null ? null : memberOf(managed, 'controlPlane');
    if (control !== null && control !== undefined)
      return { ...parse(control, file), managed: true, since: null };
  }
  const file = join(folder, OWN_FILE);
  const own = await readJson(file);
  if (own === null) return null;
  const since = memberOf(own, 'since');
  return { ...parse(own, file), managed: false, since: typeof since === 'string' ? since : null };
}

/** What `wstack login` pins. A managed enrolment is never written over. */
export async function writeEnrolment(
  folder: string,
  { server, rootKey, since }: Omit<Enrolment, 'managed'>,
): Promise<void> {
  await ensurePrivateFolder(folder);
  await writePrivateFile(join(folder, OWN_FILE), `${JSON.stringify({ server, rootKey, since }, null, 2)}\n`);
}

/** `https`, or plain `http` to this machine. Throws `enrolment.bad_server`. */
export function serverAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const local = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (
    url !== null &&
    url.username === '' &&
    (url.protocol === 'https:' || (local && url.protocol === 'http:'))
  ) {
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  }
  throw new WrongStackError('enrolment.bad_server', `${JSON.stringify(text)} is no address of a server`, {
    hint: 'https://…, or http://127.0.0.1:<port> on this machine',
  });
}

function parse(value: unknown, file: string): Pick<Enrolment, 'server' | 'rootKey'> {
  const [server, rootKey] = [memberOf(value, 'server'), memberOf(value, 'rootKey')];
  if (typeof server !== 'string') throw unreadable(file, 'server is no text');
  if (typeof rootKey !== 'string' || Buffer.from(rootKey, 'base64url').length !== 32) {
    throw unreadable(file, 'rootKey is not 32 bytes in base64url');
  }
  try {
    return { server: serverAddress(server), rootKey };
  } catch {
    throw unreadable(file, 'server is no https address');
  }
}

async function readJson(file: string): Promise<unknown> {
  const text = await readTextIfThere(file, { mostBytes: MOST_BYTES }).catch((error: unknown) => {
    throw error instanceof UnreadableFile ? unreadable(file, error.why) : error;
  });
  if (text === null) return null;
  const value = parsed(text, file);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw unreadable(file, 'is no JSON object');
}

function parsed(text: string, file: string): unknown {
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw unreadable(`${file}:${error.line}`, `is no JSON object: ${error.what}`);
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function unreadable(file: string, why: string): WrongStackError {
  return new WrongStackError('enrolment.unreadable', `${file} ${why}`, {
    hint: 'correct it, or have it corrected',
  });
}
