import type { PolicyBudget } from '../documents/policy-document.js';

/** The locks in force: the strictest of what the documents say, defaults where none says anything. */
export interface MergedLocks {
  readonly yolo: 'off' | 'in-sandbox' | 'on';
  readonly trustGrants: 'off' | 'session' | 'persistent';
  readonly trustTtlHours: number;
  readonly headlessConfirm: 'deny' | 'queue';
  readonly onUndetermined: 'restricted' | 'refuse';
  readonly staleGraceHours: number;
  readonly subagentMaxDepth: number;
  readonly plugins: PluginLocks;
  /** Every one of them must hold: budgets over different periods cannot be compared. */
  readonly budget: Readonly<Record<'run' | 'user' | 'team', readonly PolicyBudget[]>>;
  readonly auditFailure: 'deny' | 'allow-safe';
  /** Null = no document fixes it, the person chooses. */
  readonly profile: 'guide' | 'balanced' | 'strict' | null;
}

export interface PluginLocks {
  readonly require: readonly string[];
  /** Null = no document limits which plugins may load. `claims`: an org document vouches for what it says it touches. */
  readonly allow: readonly AllowedPlugin[] | null;
  readonly project: 'deny' | 'trusted';
  readonly mutation: 'none' | 'superset' | 'overlap';
  readonly enforceCapabilities: boolean;
}

export interface AllowedPlugin {
  readonly name: string;
  readonly digest: string;
  readonly claims: boolean;
}
