import type { ActorFacts } from '@wrongstack/contracts';
import { type LoadedPolicies, PolicyDocuments } from '@wrongstack/policy';
import type { BundleReader } from '../bundles/live-documents.js';
import { scopeOf } from '../identity/who-is.js';

/** Where the documents in force come from. */
export interface DocumentsInForce {
  documentsFor(scope: string, reader: BundleReader): Promise<LoadedPolicies>;
}

const NONE: LoadedPolicies = { documents: [], failure: null };

/**
 * What the control plane has published, for the calls that this very process governs: each actor under the documents of their team, as on a
 * machine of their own. The host is made before the control plane is there; it is attached before anything is served.
 */
export class CentralDocuments extends PolicyDocuments {
  #source: DocumentsInForce | null = null;

  attach(source: DocumentsInForce): void {
    this.#source = source;
  }

  override async load(_projectRoot: string, actor?: ActorFacts): Promise<LoadedPolicies> {
    if (this.#source === null) return NONE;
    const teams = actor?.team?.authenticated === true ? [actor.team.name] : [];
    const id = actor?.user?.authenticated === true ? actor.user.name : '';
    return this.#source.documentsFor(scopeOf(teams), { id, teams });
  }
}
