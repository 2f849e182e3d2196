import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type Clock,
  isoNow,
  messageOf,
  parseStrictJson,
  readTextIfThere,
  UnreadableFile,
  WrongStackError,
} from '@wrongstack/contracts';
import { definitionDigest, type McpDefinition, record } from '../tools/mcp-definition.js';

/** Definitions of a few hundred tools are far less. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface Pin {
  readonly digest: string;
  readonly definition: McpDefinition;
  readonly pinnedAt: string;
}

interface ServerPins {
  /** Of the command or address: pins of one program do not count for another under its name. */
  readonly source: string;
  readonly tools: Readonly<Record<string, Pin>>;
}

/** Which definition of which tool a person accepted. One 0600 file under the agent's home. */
export class PinStore {
  /** One change after the other: two servers of one host may pin at once. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly file: string,
    private readonly clock: Clock,
  ) {}

  /** By original tool name. A file that is not understood pins nothing and is kept: throws `mcp.pins_corrupt`. */
  async pinsOf(server: string, source: string): Promise<ReadonlyMap<string, Pin>> {
    const pins = (await this.#read()).get(server);
    return new Map(pins?.source === source ? Object.entries(pins.tools) : []);
  }

  pin(server: string, source: string, definitions: readonly McpDefinition[]): Promise<void> {
    return this.#change((all) => {
      const known = all.get(server);
      const tools = new Map(known?.source === source ? Object.entries(known.tools) : []);
      for (const definition of definitions) {
        tools.set(definition.name, {
          digest: definitionDigest(definition),
          definition,
          pinnedAt: isoNow(this.clock),
        });
      }
      all.set(server, { source, tools: Object.fromEntries(tools) });
    });
  }

  #change(work: (all: Map<string, ServerPins>) => void): Promise<void> {
    const change = this.#last.then(async () => {
      const all = new Map(await this.#read());
      work(all);
      await this.#write(all);
    });
    this.#last = change.catch(() => undefined);
    return change;
  }

  async #read(): Promise<ReadonlyMap<string, ServerPins>> {
    const text = await readTextIfThere(this.file, { mostBytes: MOST_BYTES }).catch((error: unknown) => {
      throw error instanceof UnreadableFile ? this.#corrupt(error.why) : error;
    });
    if (text === null) return new Map();
    try {
      const value = record(parseStrictJson(text));
      const servers = record(value?.['servers']);
      if (value?.['version'] !== 1 || servers === undefined) throw new Error('is no file of pins');
      return new Map(Object.entries(servers).map(([name, pins]) => [name, pins as ServerPins]));
    } catch (error) {
      throw this.#corrupt(messageOf(error));
    }
  }

  async #write(all: ReadonlyMap<string, ServerPins>): Promise<void> {
    await mkdir(path.dirname(this.file), { recursive: true, mode: 0o700 });
    const beside = `${this.file}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      const content = { version: 1, servers: Object.fromEntries(all) };
      await writeFile(beside, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      await rename(beside, this.file);
    } finally {
      await rm(beside, { force: true });
    }
  }

  #corrupt(why: string): WrongStackError {
    return new WrongStackError(
      'mcp.pins_corrupt',
      `${this.file}: ${why}; no tool counts as pinned until it is repaired or removed`,
    );
  }
}
