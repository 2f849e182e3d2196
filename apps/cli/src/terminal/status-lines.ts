import type { PolicyState } from '@wrongstack/contracts';
import { escapeText } from './escape-text.js';
import { clipText } from './graphemes.js';
import { formatAge, formatCoarseAge, formatCost, shortenHome } from './format.js';
import { clipLine, line, lineWidth, span, wrapLine, type Line, type Span } from './lines.js';
import { messages } from './messages.js';
import { shortTaskId } from './task-ids.js';
import type { Look } from './theme.js';

export interface PolicyStatus {
  readonly id: string | null;
  readonly revision: number | null;
  readonly state: PolicyState;
  /** Seconds since the last contact, and until the bundle expires; null = not known. */
  readonly ageSeconds: number | null;
  readonly expiresInSeconds: number | null;
  /** Policies in force that are not central: the person's and the project's, as `mine r1`. */
  readonly own: readonly string[];
  /** A policy file that cannot be read, by name: every call is denied. */
  readonly broken: string | null;
}

export const NO_POLICY: PolicyStatus = {
  id: null,
  revision: null,
  state: 'none',
  ageSeconds: null,
  expiresInSeconds: null,
  own: [],
  broken: null,
};

export interface SessionStatus {
  readonly mode: 'default' | 'plan';
  readonly yolo: boolean;
  readonly policy: PolicyStatus;
  readonly model: string;
  /** Share of the context window in use, 0 to 1. */
  readonly context: number | null;
  readonly costUsd: number | null;
}

/** `payments r42 fresh`. */
export function policyText(policy: PolicyStatus): string {
  if (policy.broken !== null) return messages.banner.brokenPolicy(policy.broken);
  if (policy.state === 'none') return messages.banner.noPolicy;
  const state =
    policy.state === 'fresh' || policy.state === 'stale' ? policy.state : policy.state.toUpperCase();
  return [policy.id, revisionText(policy), state].filter((part) => part !== null).join(' ');
}

function revisionText(policy: PolicyStatus): string | null {
  return policy.revision === null ? null : `r${policy.revision}`;
}

function policySpan(policy: PolicyStatus): Span {
  const tones = {
    none: 'meta',
    fresh: 'meta',
    stale: 'asks',
    expired: 'denied',
    undetermined: 'denied',
  } as const;
  return span(policyText(policy), policy.broken === null ? tones[policy.state] : 'denied');
}

/** `own mine r1, +2`: short, since a person knows their files; null = none. */
export function ownPoliciesText({ own }: PolicyStatus): string | null {
  const [first, ...more] = own;
  if (first === undefined) return null;
  return `${messages.banner.own} ${first}${more.length === 0 ? '' : `, +${more.length}`}`;
}

/** The last line of the screen. When it is narrow cost goes first, then context, model and own policies; mode and central policy never. */
export function statusLine(status: SessionStatus, look: Look): Line {
  const dot = span(look.marks.dot, 'meta');
  const mode: Span[] = [
    ...(status.yolo ? [span(messages.mode.yolo, 'loud')] : []),
    ...(status.yolo && status.mode === 'plan' ? [dot] : []),
    ...(status.yolo && status.mode === 'default' ? [] : [span(messages.mode[status.mode], 'meta')]),
  ];
  const own = ownPoliciesText(status.policy);
  const optional = [
    own === null ? null : span(own, 'meta'),
    span(status.model, 'meta'),
    status.context === null ? null : span(`ctx ${Math.round(status.context * 100)}%`, 'meta'),
    status.costUsd === null ? null : span(formatCost(status.costUsd), 'meta'),
  ];
  for (let kept = optional.length; kept >= 0; kept -= 1) {
    const parts = optional.slice(0, kept).filter((part) => part !== null && part.text !== '');
    const row = line('  ', ...mode, dot, policySpan(status.policy), ...parts.flatMap((part) => [dot, part]));
    const help = line(...row, '   ', span('?', 'meta'));
    if (lineWidth(help) <= look.columns) return help;
    if (kept === 0)
      return lineWidth(row) <= look.columns ? row : clipLine(row, look.columns, look.marks.ellipsis);
  }
  return [];
}

export interface BannerFacts {
  readonly version: string;
  readonly folder: string;
  readonly branch: string | null;
  readonly policy: PolicyStatus;
  readonly yoloLocked: boolean;
  /** Keys of the repository's own config that were not taken over. */
  readonly ignoredKeys: number;
}

/** What a session starts with; the prompt follows. */
export function bannerLines(facts: BannerFacts, look: Look): Line[] {
  const { dot } = look.marks;
  const where = shortenHome(facts.folder, look.home) + (facts.branch === null ? '' : ` (${facts.branch})`);
  const policy =
    facts.policy.state === 'none' || facts.policy.broken !== null
      ? policyText(facts.policy)
      : `policy ${[facts.policy.id, revisionText(facts.policy)].filter((part) => part !== null).join(' ')}, ${facts.policy.state}`;
  const own = facts.policy.own.length === 0 ? null : `${messages.banner.own} ${facts.policy.own.join(', ')}`;
  const rest = [where, policy, own, facts.yoloLocked ? messages.banner.yoloLocked : null].filter(
    (part) => part !== null,
  );
  return [
    ...wrapLine(
      line(span(`wstack ${facts.version}`, 'strong'), rest.map((part) => dot + part).join('')),
      look.columns,
      '  ',
    ),
    ...(facts.ignoredKeys === 0
      ? []
      : wrapLine(line(span(messages.banner.ignoredKeys(facts.ignoredKeys), 'asks')), look.columns, '  ')),
  ];
}

/** The line above the prompt. */
export function ruleLine(look: Look): Line {
  return line(span(look.marks.rule.repeat(Math.max(1, look.columns)), 'meta'));
}

/** One line when the policy state changes. */
export function policyChangeLines(policy: PolicyStatus, look: Look): Line[] {
  const parts = policyChangeParts(policy).filter((part) => part !== null);
  const tone =
    policy.state === 'expired' || policy.state === 'undetermined'
      ? 'denied'
      : policy.state === 'stale'
        ? 'asks'
        : 'meta';
  return wrapLine(
    line(span(`${look.marks.warning} ${parts.join(look.marks.dot)}`, tone)),
    look.columns,
    '  ',
  );
}

function policyChangeParts(policy: PolicyStatus): readonly (string | null)[] {
  const age = (seconds: number | null): string | null =>
    seconds === null ? null : spaced(formatCoarseAge(seconds * 1000));
  switch (policy.state) {
    case 'stale':
      return messages.policy.stale(
        age(policy.ageSeconds) ?? '',
        revisionText(policy) ?? '',
        age(policy.expiresInSeconds),
      );
    case 'expired':
      return messages.policy.expired;
    case 'undetermined':
      return messages.policy.undetermined;
    case 'fresh':
      return messages.policy.fresh(revisionText(policy) ?? '');
    case 'none':
      return messages.policy.none;
  }
}

// `3h` → `3 h`, and `5m` → `5 min`: a lone m might be metres or months.
function spaced(age: string): string {
  return age.replace(/^(\d+)(\D+)$/, '$1 $2').replace(/ m$/, ' min');
}

export interface TaskStatus {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly exitCode: number | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** Columns for each: several have to fit into one row. */
const TASK_TITLE = 28;

/** `tasks: t-4k build 1m12s · t-9p test ✗ exit 1      /tasks`; null = no tasks. */
export function tasksLine(tasks: readonly TaskStatus[], now: number, look: Look): Line | null {
  if (tasks.length === 0) return null;
  const ids = tasks.map(({ id }) => id);
  const texts = tasks.map((task) => {
    const id = shortTaskId(task.id, ids);
    const title = clipText(escapeText(task.title.split('\n', 1)[0] ?? ''), TASK_TITLE, look.marks.ellipsis);
    const age = formatAge((task.endedAt ?? now) - task.startedAt).replace(' ', '');
    if (task.state === 'running' || task.state === 'queued') return `${id} ${title} ${age}`;
    const mark = task.state === 'completed' ? look.marks.ok : look.marks.failed;
    const how = task.exitCode === null || task.state === 'completed' ? task.state : `exit ${task.exitCode}`;
    return `${id} ${title} ${mark} ${how}`;
  });
  const hint = messages.session.tasksHint;
  const row = line(`  tasks: ${texts.join(look.marks.dot)}`);
  const room = look.columns - hint.length - 6;
  return lineWidth(row) > room
    ? clipLine(row, look.columns, look.marks.ellipsis)
    : line(...row, '      ', span(hint, 'meta'));
}
