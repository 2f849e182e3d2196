import type { PolicyTier } from '@wrongstack/contracts';

/** A policy document as written (`policy.wrongstack/v1`), after schema validation. */
export interface PolicyDocument {
  readonly apiVersion: 'policy.wrongstack/v1';
  readonly kind: 'CapabilityPolicy';
  readonly metadata: {
    readonly id: string;
    readonly revision: number;
    readonly title?: string;
    readonly scope: { readonly tier: PolicyTier; readonly ref?: string };
    readonly owner?: string;
    readonly minClient?: string;
    readonly expiresAt?: string;
  };
  readonly mode?: 'enforce' | 'shadow' | 'off';
  readonly rollout?: {
    readonly percent?: number;
    readonly teams?: readonly string[];
    readonly salt?: string;
  };
  readonly locks?: PolicyLocks;
  readonly sets?: Readonly<Record<string, readonly string[]>>;
  readonly rules: readonly PolicyRule[];
  readonly tests?: readonly PolicyTest[];
}

export interface PolicyLocks {
  readonly yolo?: 'off' | 'in-sandbox' | 'on';
  readonly trustGrants?: 'off' | 'session' | 'persistent';
  readonly trustTtlHours?: number;
  readonly headlessConfirm?: 'deny' | 'queue';
  readonly onUndetermined?: 'restricted' | 'refuse';
  readonly staleGraceHours?: number;
  readonly subagentMaxDepth?: number;
  readonly plugins?: {
    readonly require?: readonly string[];
    readonly allow?: readonly { readonly name: string; readonly digest: string; readonly claims?: boolean }[];
    readonly project?: 'deny' | 'trusted';
    readonly mutation?: 'none' | 'superset' | 'overlap';
    readonly enforceCapabilities?: boolean;
  };
  readonly budget?: Readonly<Record<'run' | 'user' | 'team', PolicyBudget | undefined>>;
  readonly auditFailure?: 'deny' | 'allow-safe';
  readonly profile?: 'guide' | 'balanced' | 'strict';
}

export interface PolicyBudget {
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly toolCalls?: number;
  readonly per?: 'run' | 'day' | 'month';
}

export type RuleEffect = 'allow' | 'confirm' | 'approve' | 'deny' | 'oblige';

export interface PolicyRule {
  readonly id: string;
  readonly effect: RuleEffect;
  /** Capabilities, `unknown`, or `*`. */
  readonly actions: readonly string[];
  readonly who?: RuleWho;
  readonly when?: RuleWhen;
  readonly because: string;
  readonly instead?: string;
  readonly acknowledgeDestructive?: boolean;
  readonly approvers?: {
    readonly count: number;
    readonly from: readonly string[];
    readonly ttlMinutes?: number;
    readonly excludeRequester?: boolean;
  };
  readonly obligations?: readonly RuleObligation[];
  readonly mode?: 'enforce' | 'shadow';
  readonly expiresAt?: string;
  readonly overridable?: boolean;
  readonly overrides?: readonly string[];
  readonly examples?: { readonly match?: readonly unknown[]; readonly noMatch?: readonly unknown[] };
}

export type RuleObligation =
  | { readonly sandbox: 'read-only' | 'workspace-write' | 'no-network' }
  | { readonly redact: readonly string[] }
  | {
      readonly rateLimit: {
        readonly max: number;
        readonly perSeconds: number;
        readonly key: 'user' | 'team' | 'session';
      };
    };

/** Keys are ANDed, values ORed. */
export interface RuleWho {
  readonly org?: readonly string[];
  readonly team?: readonly string[];
  readonly user?: readonly string[];
  readonly role?: readonly string[];
  readonly agent?: readonly string[];
  readonly subagent?: boolean | readonly string[];
  readonly plugin?: readonly string[];
}

/** Keys are ANDed. */
export interface RuleWhen {
  readonly tool?: readonly string[];
  readonly owner?: readonly string[];
  readonly riskTier?: readonly ('safe' | 'standard' | 'destructive')[];
  readonly path?: { readonly every?: readonly string[]; readonly some?: readonly string[] };
  readonly command?: {
    readonly argv?: readonly (string | readonly string[])[];
    readonly has?: readonly (
      'redirect' | 'pipe' | 'subshell' | 'substitution' | 'heredoc' | 'background' | 'envAssign' | 'unparsed'
    )[];
  };
  readonly host?: { readonly every?: readonly string[]; readonly some?: readonly string[] };
  readonly mcp?: {
    readonly server?: readonly string[];
    readonly url?: readonly string[];
    readonly commandDigest?: readonly string[];
    readonly toolDigest?: readonly string[];
    readonly pinned?: boolean;
  };
  readonly project?: readonly string[];
  readonly cwd?: readonly string[];
  readonly sandboxed?: boolean;
  readonly interactive?: boolean;
  readonly background?: boolean;
  readonly time?: {
    readonly tz: string;
    readonly days?: readonly string[];
    readonly from?: string;
    readonly to?: string;
  };
  readonly any?: readonly RuleWhen[];
  readonly not?: RuleWhen;
}

export interface PolicyTest {
  readonly name: string;
  readonly now?: string;
  readonly principal?: {
    readonly org?: string;
    readonly team?: string;
    readonly user?: string;
    readonly role?: readonly string[];
    readonly agent?: string;
    readonly subagent?: boolean;
    readonly plugin?: string;
  };
  readonly session?: {
    readonly interactive?: boolean;
    readonly yolo?: boolean;
    readonly sandboxed?: boolean;
    readonly background?: boolean;
  };
  readonly call: {
    readonly tool: string;
    readonly input?: Readonly<Record<string, unknown>>;
    readonly cwd?: string;
  };
  readonly expect: {
    readonly verdict: 'allow' | 'confirm' | 'approve' | 'deny';
    readonly rule?: string;
    readonly source?: string;
  };
}
