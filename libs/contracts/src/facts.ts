import type { Capability } from './capability.js';
import type { RiskTier, ToolPermission } from './tool.js';

/**
 * Everything the policy engine may look at, computed once per call and then frozen. JSON: it is digested, stored in the
 * audit log and replayed. `'unknown'` is a value of its own: it satisfies denials and never an allow.
 */
export interface Facts {
  readonly tool: string;
  /** `core` or the plugin's name. */
  readonly owner: string;
  readonly definitionDigest: string;
  /** Claims count for allows: core tools, and plugins whose digest an org policy lists. */
  readonly claimsTrusted: boolean;
  readonly permission: ToolPermission | 'unknown';
  readonly mutating: boolean;
  /** Capabilities as declared. Empty = none declared, which rules see as `unknown`. */
  readonly declared: readonly Capability[];
  /** Declared and implied, with what carries each. Never empty. */
  readonly effective: readonly EffectiveCapability[];
  /** `unknown` = the tool never declared a tier (and its calls have none of their own). */
  readonly riskTier: RiskTier | 'unknown';
  /** The stricter of the declared tier (missing = standard) and this call's class. */
  readonly callRisk: RiskTier;
  /** Why the call is destructive: `rm -rf`, `git push --force`. Empty unless `callRisk` is destructive. */
  readonly riskReasons: readonly string[];
  readonly paths: readonly PathFact[] | 'unknown';
  /** `null` = the call runs no command. */
  readonly command: CommandFacts | null | 'unknown';
  readonly hosts: readonly HostFact[] | 'unknown';
  readonly mcp: McpFact | null;
  readonly actor: ActorFacts;
  readonly session: SessionFacts;
  /** Real path of the project root. */
  readonly project: string;
  /** Real path of the working folder, or null where it cannot be resolved. */
  readonly cwd: string | null;
  readonly background: boolean;
  /** ISO 8601. */
  readonly now: string;
}

export interface EffectiveCapability {
  readonly name: Capability;
  readonly declared: boolean;
  /** Indices into `command.commands`; `all` = every simple command, or the call itself where there is none. */
  readonly carriedBy: 'all' | readonly number[];
}

export interface PathFact {
  /** As claimed. `null` = an operand that is not static. */
  readonly claimed: string | null;
  /** Symlinks resolved; for a file that does not exist yet, its nearest existing parent is. `null` = cannot be resolved. */
  readonly real: string | null;
  readonly access: 'read' | 'write';
  /** A folder of which all below is read or may be changed as well: the fact stands for many paths, and rules ask about each. */
  readonly recursive?: true;
  readonly inside: boolean;
  /** Relative to the project root with `/`, when inside. Empty for the root itself. */
  readonly relative: string | null;
  readonly exists: boolean;
  /** The spelling lies in the project, the real path does not. */
  readonly linkLeavesProject: boolean;
  /** A scratch folder of the session, or of the toolchain: reading it is no outside read. */
  readonly scratch: boolean;
  /** Why a write here must be acknowledged (`git hooks`, `ci file`), or null. */
  readonly protected: string | null;
  /** Why reading this is a credential read, or null. */
  readonly credential: string | null;
  /** The agent's own configuration, policy, trust, plugin or audit files. */
  readonly agentOwn: boolean;
  /** A device, FIFO, socket or UNC path. */
  readonly device: boolean;
  /** The simple command that implied it; null = the tool claimed it. */
  readonly command: number | null;
}

export interface HostFact {
  readonly scheme: string;
  /** Lower case, no trailing dot, IDN as punycode; null = not static. */
  readonly host: string | null;
  readonly port: number | null;
  readonly command: number | null;
}

export interface McpFact {
  readonly server: string;
  readonly url: string | null;
  readonly commandDigest: string | null;
  readonly toolDigest: string;
  readonly pinned: boolean;
}

export type ShellTrait =
  'redirect' | 'pipe' | 'subshell' | 'substitution' | 'heredoc' | 'background' | 'envAssign' | 'unparsed';

export type CommandRisk = 'ordinary' | 'opaque' | 'destructive';

/** A claimed command, parsed. */
export interface CommandFacts {
  /** The command line as claimed; an argument vector is quoted back into one. */
  readonly text: string;
  readonly commands: readonly SimpleCommand[];
  /** Syntax errors, or anything opaque. */
  readonly unparsed: boolean;
  readonly unparsedReason: string | null;
}

/** One argument; `null` = its value is not static. */
export type ArgvWord = string | null;

export interface SimpleCommand {
  /** After quote removal, argv[0] as written (`/usr/bin/git`, not `git`). Empty for a bare assignment or redirect. */
  readonly argv: readonly ArgvWord[];
  /** Source text of this simple command, for people. */
  readonly text: string;
  readonly traits: readonly ShellTrait[];
  /** The wrappers it was found behind, outermost first: `['sudo']`, `['bash -c']`. */
  readonly through: readonly string[];
  /** `transparent`: only runs what is inside, so it is covered for allows when its inner commands are. */
  readonly wrapper: 'none' | 'transparent' | 'own-cover';
  /** Indices of the commands inside this wrapper. */
  readonly inner: readonly number[];
  readonly risk: CommandRisk;
  /** Short: `rm -rf`, `fetched code piped to sh`, `python -c`. Null when ordinary. */
  readonly riskReason: string | null;
  /** Member of the built-in set `readOnlyCommands`: reads and prints, whatever its arguments are here. */
  readonly readOnly: boolean;
  /** Runs `wstack` itself. */
  readonly nestedWstack: boolean;
}

export interface ActorFacts {
  readonly org: Identity | null;
  readonly team: Identity | null;
  readonly user: Identity | null;
  readonly roles: readonly Identity[];
  readonly agent: Identity | null;
  /** Plugin that makes the call, if any. */
  readonly plugin: string | null;
  /** 0 = the person's own agent. */
  readonly subagentDepth: number;
  readonly subagent: string | null;
  /** Capabilities the actor may use at most; null = no ceiling. */
  readonly ceiling: readonly Capability[] | null;
  /** The actor that started this subagent. */
  readonly parent: ActorFacts | null;
}

/** Nobody in particular, whom nobody vouches for, at depth zero: what every actor starts from. */
export const NOBODY: ActorFacts = {
  org: null,
  team: null,
  user: null,
  roles: [],
  agent: null,
  plugin: null,
  subagentDepth: 0,
  subagent: null,
  ceiling: null,
  parent: null,
};

/** A name, and whether somebody vouched for it. Allows match authenticated identities only. */
export interface Identity {
  readonly name: string;
  readonly authenticated: boolean;
}

export interface SessionFacts {
  readonly mode: 'default' | 'plan';
  readonly interactive: boolean;
  readonly yolo: boolean;
  readonly sandboxed: boolean;
  /** A control plane can be reached, so `approve` and queued confirms have somewhere to go. */
  readonly remoteApprovals: boolean;
}
