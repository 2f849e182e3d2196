import { createHash, randomBytes } from 'node:crypto';
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

const MOST_BYTES = 4 * 1024 * 1024;

export interface TrustedPlugin {
  readonly digest: string;
  readonly trustedAt: string;
}

interface Answers {
  readonly plugins: ReadonlyMap<string, TrustedPlugin>;
  /** What the person said no to, so that they are not asked again about the same content. */
  readonly declined: ReadonlyMap<string, TrustedPlugin>;
}

/**
 * Which plugins of which project the person trusts, by the digest of their content: one changed byte and the answer, yes or
 * no, is void. Lies with the project's other answers under the agent's home, where no repository writes.
 */
export class ProjectPluginTrust {
  readonly file: string;

  constructor(
    agentHome: string,
    private readonly project: string,
    private readonly clock: Clock,
  ) {
    const hash = createHash('sha256').update(project).digest('hex').slice(0, 32);
    this.file = path.join(agentHome, 'projects', hash, 'plugins.json');
  }

  /** By name. A file that is not understood trusts nothing and is kept: throws `plugin.trust_corrupt`. */
  async trusted(): Promise<ReadonlyMap<string, TrustedPlugin>> {
    return (await this.answers()).plugins;
  }

  /** By name; throws as `trusted` does. */
  async declined(): Promise<ReadonlyMap<string, TrustedPlugin>> {
    return (await this.answers()).declined;
  }

  async trust(name: string, digest: string): Promise<void> {
    const { plugins, declined } = await this.answers();
    const others = new Map([...declined].filter(([one]) => one !== name));
    await this.write({ plugins: new Map([...plugins, [name, this.answerNow(digest)]]), declined: others });
  }

  async decline(name: string, digest: string): Promise<void> {
    const { plugins, declined } = await this.answers();
    const others = new Map([...plugins].filter(([one]) => one !== name));
    await this.write({ plugins: others, declined: new Map([...declined, [name, this.answerNow(digest)]]) });
  }

  /** False when it was not trusted. */
  async forget(name: string): Promise<boolean> {
    const { plugins, declined } = await this.answers();
    const others = new Map(plugins);
    if (!others.delete(name)) return false;
    await this.write({ plugins: others, declined });
    return true;
  }

  private answerNow(digest: string): TrustedPlugin {
    return { digest, trustedAt: isoNow(this.clock) };
  }

  private async answers(): Promise<Answers> {
    const text = await readTextIfThere(this.file, { mostBytes: MOST_BYTES }).catch((error: unknown) => {
      throw error instanceof UnreadableFile ? this.corrupt(error.why) : error;
    });
    if (text === null) return { plugins: new Map(), declined: new Map() };
    try {
      return parsed(parseStrictJson(text), this.project);
    } catch (error) {
      throw this.corrupt(messageOf(error));
    }
  }

  private async write({ plugins, declined }: Answers): Promise<void> {
    await mkdir(path.dirname(this.file), { recursive: true, mode: 0o700 });
    const beside = `${this.file}.${randomBytes(6).toString('hex')}.tmp`;
    const content = {
      version: 1,
      project: this.project,
      plugins: Object.fromEntries(plugins),
      ...(declined.size > 0 && { declined: Object.fromEntries(declined) }),
    };
    try {
      await writeFile(beside, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      await rename(beside, this.file);
    } finally {
      await rm(beside, { force: true });
    }
  }

  private corrupt(why: string): WrongStackError {
    return new WrongStackError(
      'plugin.trust_corrupt',
      `${this.file}: ${why}; no plugin of this project is trusted until it is repaired or removed`,
    );
  }
}

function parsed(value: unknown, project: string): Answers {
  const file = value as {
    version?: unknown;
    project?: unknown;
    plugins?: unknown;
    declined?: unknown;
  } | null;
  if (file?.version !== 1 || file.project !== project || typeof file.plugins !== 'object') {
    throw new Error('is not the trust file of this project');
  }
  return { plugins: entries(file.plugins), declined: entries(file.declined ?? {}) };
}

function entries(section: unknown): ReadonlyMap<string, TrustedPlugin> {
  const plugins = Object.entries((section ?? {}) as Record<string, unknown>).map(([name, entry]) => {
    const { digest, trustedAt } = (entry ?? {}) as Record<string, unknown>;
    if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest)) {
      throw new Error(`holds no digest for ${name}`);
    }
    return [name, { digest, trustedAt: typeof trustedAt === 'string' ? trustedAt : '' }] as const;
  });
  return new Map(plugins);
}
