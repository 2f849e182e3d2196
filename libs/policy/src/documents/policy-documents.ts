import type { ActorFacts } from '@wrongstack/contracts';
import type { PolicyDocument } from './policy-document.js';

export interface PolicyFailure {
  readonly file: string;
  /** One line: what is wrong with it and what to do. */
  readonly reason: string;
}

/** The same object as before while nothing has changed, so that callers can compare by identity. */
export interface LoadedPolicies {
  readonly documents: readonly PolicyDocument[];
  /** A file that exists but cannot be read or validated: every call is denied while it lasts. */
  readonly failure: PolicyFailure | null;
}

/** Where policy documents come from. Asked for each call; a throw denies it. */
export abstract class PolicyDocuments {
  /**
   * `projectRoot` is a real path. `actor`: for whom, where one process decides for many people; without one, what binds everybody.
   */
  abstract load(projectRoot: string, actor?: ActorFacts): Promise<LoadedPolicies>;
}

/** Several sources as one: central bundles beside local files. */
export class JoinedPolicies extends PolicyDocuments {
  /** By their parts, so that each combination is the same object for as long as its parts are. */
  private readonly joined = new WeakMap<LoadedPolicies, Joined>();

  constructor(private readonly sources: readonly PolicyDocuments[]) {
    super();
  }

  override async load(projectRoot: string, actor?: ActorFacts): Promise<LoadedPolicies> {
    const parts = await Promise.all(this.sources.map((source) => source.load(projectRoot, actor)));
    let place: Joined = { next: this.joined, whole: null };
    for (const part of parts) {
      const known = place.next.get(part) ?? { next: new WeakMap<LoadedPolicies, Joined>(), whole: null };
      place.next.set(part, known);
      place = known;
    }
    place.whole ??= {
      documents: parts.flatMap(({ documents }) => documents),
      failure: parts.map(({ failure }) => failure).find((failure) => failure !== null) ?? null,
    };
    return place.whole;
  }
}

interface Joined {
  readonly next: WeakMap<LoadedPolicies, Joined>;
  whole: LoadedPolicies | null;
}

/** Documents that are at hand already: for tests, the demo and policy tests. */
export class FixedPolicies extends PolicyDocuments {
  private readonly loaded: LoadedPolicies;

  constructor(documents: readonly PolicyDocument[], failure: PolicyFailure | null = null) {
    super();
    this.loaded = { documents, failure };
  }

  override async load(): Promise<LoadedPolicies> {
    return this.loaded;
  }
}
