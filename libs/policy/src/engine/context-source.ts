import type { ActorFacts } from '@wrongstack/contracts';
import type { TrustView } from '../trust/trust-entry.js';
import type { LoadedPolicies, PolicyDocuments } from '../documents/policy-documents.js';
import { profileDocument, type Profile } from '../documents/profile-documents.js';
import type { PolicyContext } from '../policy-context.js';
import { compilePolicies, type CompileOptions, type CompiledPolicies } from '../rules/compiled-policies.js';
import { joinTrust, MemoryTrustStores } from '../trust/memory-trust-store.js';
import type { TrustStore, TrustStores } from '../trust/trust-store.js';
import type { PolicyStateSource } from './policy-state-source.js';

export interface ContextSourceOptions {
  readonly documents: PolicyDocuments;
  readonly trust: TrustStores;
  readonly state: PolicyStateSource;
  readonly compile: CompileOptions;
  /** What the person chose; a `locks.profile` overrules it. */
  readonly profile: () => Profile;
}

/** Builds what `decide` needs beside the facts, anew for each call; only compiled documents are kept. */
export class ContextSource {
  private readonly compiled = new WeakMap<LoadedPolicies, Map<Profile, CompiledPolicies>>();
  private readonly sessionTrust = new MemoryTrustStores();

  constructor(private readonly options: ContextSourceOptions) {}

  /** `project` is a real path. */
  async contextFor(project: string, actor?: ActorFacts): Promise<PolicyContext> {
    const loaded = await this.options.documents.load(project, actor);
    const policies = this.compile(loaded);
    return {
      policies,
      trust: await this.trustFor(project, policies.locks.trustGrants),
      state: this.options.state.current(policies.locks),
      spoolIsFull: await this.options.state.spoolIsFull(),
      failure: loaded.failure,
    };
  }

  /** Where a new entry goes: a grant under `trustGrants: session` ends with the process, a denial never does. */
  storeFor(project: string, effect: 'allow' | 'deny', grants: 'off' | 'session' | 'persistent'): TrustStore {
    const stores = effect === 'allow' && grants === 'session' ? this.sessionTrust : this.options.trust;
    return stores.forProject(project);
  }

  private async trustFor(project: string, grants: 'off' | 'session' | 'persistent'): Promise<TrustView> {
    const stored = await this.options.trust.forProject(project).view();
    if (grants !== 'session') return stored;
    // Grants from before the lock are out of force; denials stay.
    const denials: TrustView =
      stored.status === 'corrupt'
        ? stored
        : { status: 'ok', entries: stored.entries.filter(({ effect }) => effect === 'deny') };
    return joinTrust(denials, await this.sessionTrust.forProject(project).view());
  }

  private compile(loaded: LoadedPolicies): CompiledPolicies {
    const chosen = this.options.profile();
    const known = this.compiled.get(loaded) ?? new Map<Profile, CompiledPolicies>();
    this.compiled.set(loaded, known);
    const found = known.get(chosen);
    if (found !== undefined) return found;
    const fixed = compilePolicies(loaded.documents, this.options.compile);
    const profile = fixed.locks.profile ?? chosen;
    const policies =
      profile === 'guide'
        ? fixed
        : compilePolicies([...loaded.documents, profileDocument(profile)], this.options.compile);
    known.set(chosen, policies);
    return policies;
  }
}
