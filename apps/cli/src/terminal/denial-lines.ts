import type { Decision, DecisionSource, RuleMatch } from '@wrongstack/contracts';
import { promptLines } from './collapse-blanks.js';
import { formatAge, formatMomentNear } from './format.js';
import { line, span, wrapLine, type Line } from './lines.js';
import { messages } from './messages.js';
import { listed } from './question-lines.js';
import { originText } from './sources.js';
import type { Look } from './theme.js';

/** A call that policy stopped: what, by which rule, why, what instead, and how to ask for an exception. */
export function denialCard(tool: string, subject: string, decision: Decision, look: Look): Line[] {
  return [
    headOf(tool, messages.denial.denied, look),
    ...subjectRows(subject, look),
    ...listed(
      decision.by.kind === 'rule' ? messages.denial.rule : decision.by.kind,
      [byText(decision)],
      look,
    ),
    ...listed(messages.denial.because, [decision.because], look),
    ...(decision.instead === null ? [] : listed(messages.denial.instead, [decision.instead], look)),
    // Somebody has to be there who could grant an exception.
    ...(decision.policy.state === 'none'
      ? []
      : wrapLine(line(span(`  ${messages.denial.ask(decision.id)}`, 'meta')), look.columns, '  ')),
  ];
}

/** A call that the person declined. It must not look like one that ran and failed. */
export function declinedCard(
  tool: string,
  subject: string,
  reason: string | null,
  look: Look,
  word: string = messages.denial.declined,
): Line[] {
  return [
    headOf(tool, word, look),
    ...subjectRows(subject, look),
    ...listed(
      messages.denial.because,
      // The first line says that nothing ran.
      [reason === null || reason === '' ? messages.denial.you : reason.replace(/ Nothing ran\.$/, '')],
      look,
    ),
  ];
}

function headOf(tool: string, word: string, look: Look): Line {
  const tail = `${look.marks.dot}${messages.denial.nothingRan}`;
  if (look.plain) return line(`${messages.labels.denied} ${tool} ${word}${tail}`);
  return line(span(`${look.marks.denied} ${tool} ${word}`, 'denied'), tail);
}

function subjectRows(subject: string, look: Look): Line[] {
  return promptLines(subject).flatMap((row) => wrapLine(line(`  ${row}`), look.columns, '    ', 'hard'));
}

function byText(decision: Decision): string {
  const origin = originText(decision.by);
  const match = matchOf(decision.by, decision.matches);
  const on = match?.on ?? null;
  return [
    decision.by.id,
    origin === '' ? '' : ` (${origin})`,
    on === null ? '' : ` ${messages.denial.on}: ${on}`,
  ].join('');
}

function matchOf(source: DecisionSource, matches: readonly RuleMatch[]): RuleMatch | undefined {
  return matches.find(
    (match) =>
      match.id === source.id && (source.document === undefined || match.document === source.document),
  );
}

export interface ApproverWait {
  readonly tool: string;
  readonly subject: string;
  readonly approval: string;
  readonly need: number;
  readonly have: number;
  readonly by: readonly string[];
  readonly rule: string | null;
  readonly asked: readonly string[];
  readonly sinceMs: number;
  readonly expiresAt: number | null;
}

/** `⏸ edit infra/main.tf · 1 of 2 yes (mira) · 3 min · expires 14:40`, and below it which rule and whom it asks. */
export function approverLines(wait: ApproverWait, now: number, look: Look): Line[] {
  const { approvers } = messages;
  const names = wait.by.length === 0 ? '' : ` (${wait.by.join(', ')})`;
  const first = [
    approvers.yes(wait.have, wait.need) + names,
    minutes(now - wait.sinceMs),
    wait.expiresAt === null ? null : approvers.expires(formatMomentNear(wait.expiresAt, now)),
  ].filter((part) => part !== null);
  const second = [
    wait.rule === null ? null : `rule ${wait.rule}`,
    wait.asked.length === 0 ? null : approvers.asked(wait.asked.join(', ')),
    wait.approval,
    look.plain ? null : approvers.withdraws,
  ].filter((part) => part !== null);
  const label = look.plain ? messages.labels.asks : look.marks.waiting;
  return [
    ...wrapLine(
      line(
        span(label, 'asks'),
        ' ',
        span(`${wait.tool} ${promptLines(wait.subject)[0] ?? ''}`, 'strong'),
        first.map((part) => look.marks.dot + part).join(''),
      ),
      look.columns,
      '  ',
    ),
    ...wrapLine(line(span(`  ${second.join(look.marks.dot)}`, 'meta')), look.columns, '  '),
  ];
}

/** `⏸ edit waits for others (ap-91c2) · nothing ran`. */
export function parkedLine(tool: string, approval: string, look: Look): Line {
  const label = look.plain ? messages.labels.asks : look.marks.waiting;
  return line(
    span(label, 'asks'),
    ` ${tool} ${messages.approvers.parked(approval)}${look.marks.dot}${messages.denial.nothingRan}`,
  );
}

function minutes(milliseconds: number): string {
  return milliseconds < 60_000 ? formatAge(milliseconds) : `${Math.floor(milliseconds / 60_000)} min`;
}
