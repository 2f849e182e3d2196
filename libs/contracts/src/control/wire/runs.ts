import {
  anyObject,
  closed,
  flag,
  list,
  oneOf,
  open,
  orNull,
  page,
  text,
  time,
  whole,
} from './schema-parts.js';

// Governed runs of an agent on the server: the agent of the command line, without a person beside it.

/** What one run may use up. Null = what the server's own configuration says, which always holds as well. */
export interface RunLimits {
  /** Model turns. */
  readonly iterations: number | null;
  readonly toolCalls: number | null;
  /** In and out, cached ones included. */
  readonly tokens: number | null;
  /** US dollars. A run whose model has no configured price does not start under such a limit. */
  readonly costUsd: number | null;
  /** Of work; what a run waits parked does not count. */
  readonly seconds: number | null;
}

/** `POST /v1/runs`, with an `Idempotency-Key`: 201 with `RunView`. */
export interface StartRun {
  /** Absolute path of a folder that the operator allows runs to work in, or of one below it. */
  readonly workspace: string;
  readonly prompt: string;
  /** Missing or null = the configured one. */
  readonly model?: string | null;
  readonly limits?: Partial<RunLimits>;
  /** A run in which a call was denied has succeeded all the same. */
  readonly tolerateDenials?: boolean;
}

export const MAX_PROMPT_CHARACTERS = 200_000;

const most = (maximum: number) => orNull({ type: 'integer', minimum: 1, maximum });
const limitMembers = {
  iterations: most(10_000),
  toolCalls: most(100_000),
  tokens: most(1_000_000_000),
  costUsd: orNull({ type: 'number', exclusiveMinimum: 0, maximum: 100_000 }),
  seconds: most(86_400),
};

export const startRunSchema = closed(
  { workspace: text(4_000), prompt: text(MAX_PROMPT_CHARACTERS) },
  { model: orNull(text(200)), limits: closed({}, limitMembers), tolerateDenials: flag },
);

/** `queued` → `running` → `succeeded` | `failed` | `cancelled`; `running` → `parked` (an approval) → `queued` again. */
export type RunState = 'queued' | 'running' | 'parked' | 'succeeded' | 'failed' | 'cancelled';
export const RUN_STATES = ['queued', 'running', 'parked', 'succeeded', 'failed', 'cancelled'] as const;

/** One of a list. */
export interface RunSummary {
  readonly id: string;
  readonly state: RunState;
  readonly requester: { readonly id: string; readonly name: string };
  readonly team: string | null;
  readonly workspace: string;
  /** The first line or so. */
  readonly prompt: string;
  readonly model: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Somebody wants it to end. */
  readonly cancel: { readonly by: string; readonly at: string } | null;
  /** Approvals that a parked run waits for. */
  readonly waitsFor: readonly string[];
}

/** How a run ended, secrets masked. */
export interface RunOutcomeView {
  /** As `wstack run` says it; `lost` = the process that executed it is gone. */
  readonly status: 'completed' | 'failed' | 'limit' | 'stopped_by_policy' | 'interrupted' | 'lost';
  /** The final answer, or what there was of it. */
  readonly text: string;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
  readonly denials: readonly object[];
  readonly files: readonly { readonly path: string; readonly added: number; readonly removed: number }[];
}

export interface RunView extends RunSummary {
  readonly limits: RunLimits;
  /** The session whose log holds the conversation; null before it began. */
  readonly session: string | null;
  /** 1, and one more each time it went on after it was parked or handed back. */
  readonly attempt: number;
  readonly used: {
    readonly turns: number;
    readonly toolCalls: number;
    readonly tokens: number;
    /** Null = the price of the model is not known. */
    readonly costUsd: number | null;
    readonly seconds: number;
  };
  /** Null until it has ended. */
  readonly result: RunOutcomeView | null;
}

const summaryMembers = {
  id: text(100),
  state: oneOf(...RUN_STATES),
  requester: open({ id: text(200), name: text(200) }),
  team: orNull(text(200)),
  workspace: text(4_000),
  prompt: text(MAX_PROMPT_CHARACTERS),
  model: orNull(text(200)),
  createdAt: time,
  startedAt: orNull(time),
  endedAt: orNull(time),
  cancel: orNull(open({ by: text(200), at: time })),
  waitsFor: list(text(100), 1_000),
};
export const runPageSchema = page(open(summaryMembers));

export const runViewSchema = open({
  ...summaryMembers,
  limits: open(limitMembers),
  session: orNull(text(100)),
  attempt: whole(1),
  used: open({
    turns: whole(),
    toolCalls: whole(),
    tokens: whole(),
    costUsd: orNull({ type: 'number' }),
    seconds: { type: 'number' },
  }),
  result: orNull(
    open({
      status: oneOf('completed', 'failed', 'limit', 'stopped_by_policy', 'interrupted', 'lost'),
      text: { type: 'string' },
      error: orNull(open({ code: text(200), message: { type: 'string' }, hint: orNull({ type: 'string' }) })),
      denials: list(anyObject, 1_000),
      files: list(open({ path: text(4_096), added: whole(), removed: whole() }), 1_000),
    }),
  ),
});
