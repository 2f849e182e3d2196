import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '@wrongstack/contracts';
import { acceptedEncodings, type Encoding } from './accepted-encodings.js';

/** One file of the console, as it is sent. */
export interface ConsoleFile {
  readonly body: Buffer;
  readonly type: string;
  readonly encoding: Encoding | null;
  /** Changes with the file. */
  readonly etag: string;
  /** Its name holds a hash of it, so that it can be kept for good. */
  readonly hashed: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };
/** No name begins with a dot: neither `..` nor anything hidden can be asked for. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const MOST_NAMES = 8;

/** What was built in `apps/console`. Looked up at each request, so that a new build needs no new start. */
export class ConsoleFiles {
  constructor(private readonly folder: string) {}

  /** Null = there is no such file. `name`: below the folder, with slashes. */
  async find(name: string, acceptEncoding: string | undefined): Promise<ConsoleFile | null> {
    const names = name.split('/');
    const type = TYPES[path.extname(name)];
    if (type === undefined || names.length > MOST_NAMES || !names.every((one) => NAME.test(one))) return null;
    const file = path.join(this.folder, ...names);
    for (const encoding of [...acceptedEncodings(acceptEncoding), null]) {
      const found = await this.#read(encoding === null ? file : `${file}${ENDINGS[encoding]}`);
      if (found === null) continue;
      const { body, etag } = found;
      return { body, type, encoding, etag: `"${etag}${encoding ?? ''}"`, hashed: names[0] === 'assets' };
    }
    return null;
  }

  /** Null where there is none, or a link that leads elsewhere. */
  async #read(file: string): Promise<{ readonly body: Buffer; readonly etag: string } | null> {
    try {
      const real = await realpath(file);
      const folder = await realpath(this.folder);
      if (!real.startsWith(folder + path.sep)) return null;
      const handle = await open(real, 'r');
      try {
        const stat = await handle.stat();
        if (!stat.isFile()) return null;
        const etag = `${stat.size.toString(36)}-${Math.floor(stat.mtimeMs).toString(36)}`;
        return { body: await handle.readFile(), etag };
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
      throw error;
    }
  }
}
