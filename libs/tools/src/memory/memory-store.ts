import { createHash, randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { WrongStackError, isoNow, systemClock, type Clock, type RandomBytes } from '@wrongstack/contracts';
import { MemoryFile, type MemoryState } from './memory-file.js';
import {
  MEMORY_SCOPES,
  type Memory,
  type MemoryLine,
  type MemoryScope,
  type MemorySource,
} from './memory-record.js';
import { countWords, rank, tellingWords, type WordCounts } from './rank.js';
import { tokenise } from './tokenise.js';

/** Where memories of a call live; a tool's context is one. */
export interface MemoryPlace {
  readonly dataDir: string;
  readonly projectRoot: string;
}

export interface ShelvedMemory {
  readonly scope: MemoryScope;
  readonly memory: Memory;
}

export interface RememberRequest {
  readonly scope: MemoryScope;
  readonly text: string;
  readonly tags: readonly string[];
  readonly by: MemorySource;
  readonly signal: AbortSignal;
  /** Given = change this memory instead of adding one. */
  readonly id?: string | undefined;
}

export type Remembered =
  | { readonly kind: 'added' | 'changed' | 'known'; readonly memory: Memory }
  | { readonly kind: 'missing'; readonly id: string };

export const MOST_MEMORIES = 1_000;
const MOST_RELATED_WORDS = 12;

/** Project and user memories on disk. One instance serves any number of projects. */
export class MemoryStore {
  readonly #files = new Map<string, MemoryFile>();
  readonly #words = new WeakMap<Memory, WordCounts>();

  constructor(
    private readonly clock: Clock = systemClock,
    private readonly random: RandomBytes = randomBytes,
  ) {}

  /** Everything of these shelves, the last changed first. */
  async all(
    place: MemoryPlace,
    scopes: readonly MemoryScope[] = MEMORY_SCOPES,
  ): Promise<readonly ShelvedMemory[]> {
    const shelves = await Promise.all(
      scopes.map(async (scope) => {
        const { memories } = await (await this.file(place, scope)).load();
        return [...memories.values()].reverse().map((memory) => ({ scope, memory }));
      }),
    );
    return shelves.flat().sort((a, b) => compareText(b.memory.updated, a.memory.updated));
  }

  async find(place: MemoryPlace, id: string): Promise<ShelvedMemory | undefined> {
    return (await this.all(place)).find(({ memory }) => memory.id === id);
  }

  async search(
    place: MemoryPlace,
    query: string,
    scopes: readonly MemoryScope[] = MEMORY_SCOPES,
  ): Promise<readonly ShelvedMemory[]> {
    const items = await this.all(place, scopes);
    return rank(tokenise(query), items, this.wordsOf).map(({ item }) => item);
  }

  /** Memories that share telling words with a text, without the one called `except`. */
  async related(place: MemoryPlace, text: string, except?: string): Promise<readonly ShelvedMemory[]> {
    const items = (await this.all(place)).filter(({ memory }) => memory.id !== except);
    const words = tellingWords(countWords(text), items, this.wordsOf, MOST_RELATED_WORDS);
    return rank(words, items, this.wordsOf).map(({ item }) => item);
  }

  async remember(place: MemoryPlace, request: RememberRequest): Promise<Remembered> {
    const { scope, text, tags, by, id } = request;
    const file = await this.file(place, scope);
    const now = isoNow(this.clock);
    let answer: Remembered | undefined;
    await file.change((state): MemoryLine | null => {
      const old = id === undefined ? undefined : state.memories.get(id);
      if (id !== undefined && old === undefined) {
        answer = { kind: 'missing', id };
        return null;
      }
      const known = old ?? sameText(state, text);
      if (known !== undefined && known.text === text && sameTags(known.tags, tags)) {
        answer = { kind: 'known', memory: known };
        return null;
      }
      refuseFull(state, known, file.path);
      const memory: Memory = {
        id: known?.id ?? `m-${Buffer.from(this.random(5)).toString('hex')}`,
        text,
        tags,
        created: known?.created ?? now,
        updated: now,
        by,
      };
      answer = { kind: known === undefined ? 'added' : 'changed', memory };
      return { v: 1, op: 'put', ...memory };
    }, request.signal);
    if (answer === undefined) throw new WrongStackError('memory.failed', `${file.path} was not changed`);
    return answer;
  }

  /** What was forgotten, or undefined when there is no such memory. */
  async forget(
    place: MemoryPlace,
    id: string,
    by: MemorySource,
    signal: AbortSignal,
  ): Promise<ShelvedMemory | undefined> {
    const found = await this.find(place, id);
    if (found === undefined) return undefined;
    const file = await this.file(place, found.scope);
    const at = isoNow(this.clock);
    const gone = await file.change(
      (state) => (state.memories.has(id) ? { v: 1, op: 'forget', id, at, by } : null),
      signal,
    );
    return gone ? found : undefined;
  }

  private readonly wordsOf = ({ memory }: ShelvedMemory): WordCounts => {
    const known = this.#words.get(memory);
    if (known !== undefined) return known;
    const words = countWords(`${memory.text} ${memory.tags.join(' ')}`);
    this.#words.set(memory, words);
    return words;
  };

  private async file(place: MemoryPlace, scope: MemoryScope): Promise<MemoryFile> {
    const path = await memoryPath(place, scope);
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const file = new MemoryFile(path);
    this.#files.set(path, file);
    return file;
  }
}

/** Named by a hash of the project's real path: no two projects share a file, and no path has to be escaped. */
export async function memoryPath(place: MemoryPlace, scope: MemoryScope): Promise<string> {
  const folder = join(place.dataDir, 'memory');
  if (scope === 'user') return join(folder, 'user.jsonl');
  const project = await realpath(place.projectRoot);
  const hash = createHash('sha256').update(project).digest('hex').slice(0, 32);
  return join(folder, 'projects', `${hash}.jsonl`);
}

function refuseFull(state: MemoryState, known: Memory | undefined, path: string): void {
  if (known !== undefined || state.memories.size < MOST_MEMORIES) return;
  throw new WrongStackError(
    'memory.full',
    `there are ${MOST_MEMORIES} memories in ${path} already, the limit: forget some first`,
  );
}

function sameText(state: MemoryState, text: string): Memory | undefined {
  const folded = text.toLowerCase();
  return [...state.memories.values()].find((memory) => memory.text.toLowerCase() === folded);
}

function sameTags(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((tag, index) => tag === b[index]);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
