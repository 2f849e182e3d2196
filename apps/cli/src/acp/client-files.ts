import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import type { AgentContext, ReadTextFileResponse } from '@agentclientprotocol/sdk';
import {
  type Context,
  type RegisteredTool,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
  WrongStackError,
} from '@wrongstack/contracts';
import type { ToolRegistry } from '@wrongstack/kernel';
import { locate, openFile } from '@wrongstack/tools';
import type { ClientFeatures } from './client-features.js';
import { bufferLines } from './buffer-lines.js';

export interface ClientFilesOptions {
  readonly client: Pick<AgentContext, 'request'>;
  readonly sessionId: string;
  readonly features: Pick<ClientFeatures, 'readFiles' | 'writeFiles'>;
}

/** Tools whose calls name every file that they change. */
const CHANGING: readonly string[] = ['write', 'edit', 'patch', 'replace'];
/** A text larger than this is nobody's open buffer. */
const MOST_BYTES = 4n * 1024n * 1024n;
const CLIENT_MS = 5_000;

/**
 * Makes the file tools see what the person sees: an editor's unsaved text counts as the file's, and a change reaches the
 * open buffer at once. Decisions, containment and undo stay where they are: the wrapped tool still opens the decided real
 * path itself, and the editor is only ever asked about that very path.
 */
export function useClientFiles(tools: ToolRegistry, options: ClientFilesOptions): void {
  if (!options.features.readFiles) return;
  const files = new ClientFiles(options);
  tools.wrap('read', (original) => readingBuffers(original, files));
  for (const name of CHANGING) {
    if (tools.get(name) !== undefined) tools.wrap(name, (original) => changingBuffers(original, files));
  }
}

function readingBuffers(original: RegisteredTool, files: ClientFiles): Tool {
  return {
    ...original,
    async execute(input: { path: string; offset?: number; limit?: number }, ctx: Context, opts: ToolOptions) {
      const result: unknown = await original.execute(input, ctx, opts);
      const { real } = await locate(ctx, opts, input.path, 'read');
      const text = await files.unsaved(ctx, opts, real);
      if (text === null) return result;
      files.learn(real, text);
      return bufferLines(text, input) satisfies RichToolOutput;
    },
  };
}

function changingBuffers(original: RegisteredTool, files: ClientFiles): Tool {
  return {
    ...original,
    async execute(input: unknown, ctx: Context, opts: ToolOptions) {
      const paths = opts.decidedPaths ?? [];
      for (const real of paths) await files.settle(ctx, opts, real);
      const result: unknown = await original.execute(input, ctx, opts);
      for (const real of paths) await files.tell(ctx, opts, real);
      return result;
    },
  };
}

class ClientFiles {
  /** What the model was last shown of an unsaved buffer. */
  readonly #seen = new Map<string, string>();

  constructor(private readonly options: ClientFilesOptions) {}

  learn(real: string, text: string): void {
    this.#seen.set(real, digest(text));
  }

  /** The editor's text where it differs from the file's; null where there is nothing unsaved, or nobody to ask. */
  async unsaved(ctx: Context, opts: ToolOptions, real: string): Promise<string | null> {
    const disk = await diskText(ctx, opts, real);
    if (disk === null) return null;
    const text = await this.#buffer(real, opts.signal);
    return text === null || text === disk ? null : text;
  }

  /**
   * Before a change: unsaved text that the model has seen is saved first, so that the change is made to it. What it has
   * not seen would be lost or half-known, so the call ends and says what to do.
   */
  async settle(ctx: Context, opts: ToolOptions, real: string): Promise<void> {
    const text = await this.unsaved(ctx, opts, real);
    if (text === null) return;
    if (this.#seen.get(real) !== digest(text) || !this.options.features.writeFiles) {
      throw new WrongStackError(
        'fs.stale',
        `${real} has unsaved changes in the editor: read it again first, or ask for it to be saved`,
      );
    }
    await this.#write(real, text, opts.signal);
    await ctx.recordWrite(real);
  }

  /** After a change: the open buffer shows it at once. The file itself is written already. */
  async tell(ctx: Context, opts: ToolOptions, real: string): Promise<void> {
    this.#seen.delete(real);
    if (!this.options.features.writeFiles) return;
    const text = await diskText(ctx, opts, real);
    if (text === null) return;
    try {
      await this.#write(real, text, opts.signal);
      await ctx.recordWrite(real);
    } catch {
      // The file is as the result says; an editor that was not told reads it again by itself.
    }
  }

  async #buffer(real: string, signal: AbortSignal): Promise<string | null> {
    const { client, sessionId } = this.options;
    try {
      const params = { sessionId, path: real };
      const answer: ReadTextFileResponse = await client.request('fs/read_text_file', params, bounded(signal));
      return typeof answer.content === 'string' ? answer.content : null;
    } catch {
      signal.throwIfAborted();
      return null;
    }
  }

  async #write(real: string, content: string, signal: AbortSignal): Promise<void> {
    // The editor follows links: one that has taken the file's place must not lead it elsewhere.
    if ((await realpath(real)) !== real) {
      throw new WrongStackError(
        'path.changed',
        `${real} turned into a link: nothing was touched, call again`,
      );
    }
    const { client, sessionId } = this.options;
    await client.request('fs/write_text_file', { sessionId, path: real, content }, bounded(signal));
  }
}

/** An editor that does not answer must not hold a call. */
function bounded(signal: AbortSignal): { cancellationSignal: AbortSignal; stopWaitingOnCancel: true } {
  return {
    cancellationSignal: AbortSignal.any([signal, AbortSignal.timeout(CLIENT_MS)]),
    stopWaitingOnCancel: true,
  };
}

/** The file's own text; null for what is missing, large or no UTF-8 text: no buffer stands for it. */
async function diskText(ctx: Context, opts: ToolOptions, real: string): Promise<string | null> {
  try {
    const { handle, stat } = await openFile(await locate(ctx, opts, real, 'read'));
    try {
      if (stat.size > MOST_BYTES) return null;
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await handle.readFile());
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
