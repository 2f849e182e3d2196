import type { TrustEntry, TrustView } from './trust-entry.js';
import { TrustStore, TrustStores } from './trust-store.js';

/** Grants that end with the process: what `trustGrants: session` asks for, and what tests and the demo use. */
export class MemoryTrustStore extends TrustStore {
  private entries: readonly TrustEntry[] = [];

  override async view(): Promise<TrustView> {
    return { status: 'ok', entries: this.entries };
  }

  override async add(entries: readonly TrustEntry[]): Promise<void> {
    this.entries = [...this.entries, ...entries];
  }

  override async list(): Promise<readonly TrustEntry[]> {
    return this.entries;
  }

  override async revoke(id: string): Promise<boolean> {
    const before = this.entries.length;
    this.entries = this.entries.filter((entry) => entry.id !== id);
    return this.entries.length < before;
  }
}

export class MemoryTrustStores extends TrustStores {
  private readonly stores = new Map<string, TrustStore>();

  override forProject(project: string): TrustStore {
    const store = this.stores.get(project) ?? new MemoryTrustStore();
    this.stores.set(project, store);
    return store;
  }
}

/** Both files' worth of entries; corrupt if either is. */
export function joinTrust(first: TrustView, second: TrustView): TrustView {
  if (first.status === 'corrupt') return first;
  if (second.status === 'corrupt') return second;
  return { status: 'ok', entries: [...first.entries, ...second.entries] };
}
