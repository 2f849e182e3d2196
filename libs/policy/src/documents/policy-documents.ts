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
  /** `projectRoot` is a real path. */
  abstract load(projectRoot: string): Promise<LoadedPolicies>;
}

/** Several sources as one: central bundles beside local files. */
export class JoinedPolicies extends PolicyDocuments {
  private last: { readonly parts: readonly LoadedPolicies[]; readonly joined: LoadedPolicies } | null = null;

  constructor(private readonly sources: readonly PolicyDocuments[]) {
    super();
  }

  override async load(projectRoot: string): Promise<LoadedPolicies> {
    const parts = await Promise.all(this.sources.map((source) => source.load(projectRoot)));
    if (this.last?.parts.every((part, index) => part === parts[index]) === true) return this.last.joined;
    const joined = {
      documents: parts.flatMap(({ documents }) => documents),
      failure: parts.map(({ failure }) => failure).find((failure) => failure !== null) ?? null,
    };
    this.last = { parts, joined };
    return joined;
  }
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
