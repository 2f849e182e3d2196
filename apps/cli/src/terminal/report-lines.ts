import type { Decision } from '@wrongstack/contracts';
import { formatCount } from './format.js';
import { padText } from './graphemes.js';
import { line, span, wrapLine, type Line, type Tone } from './lines.js';
import { messages } from './messages.js';
import { listed } from './question-lines.js';
import { originText, sourceText } from './sources.js';
import { tableLines } from './table.js';
import type { Look } from './theme.js';

const VERDICT_TONES: Readonly<Record<Decision['verdict'], Tone>> = {
  allow: 'ok',
  confirm: 'asks',
  approve: 'asks',
  deny: 'denied',
};

const REPORT_LABEL_WIDTH = 10;

/** Rules that came close, with why they do not match: `routine-checks: tool is not test, lint, typecheck`. */
export type NearMiss = string;

/** `policy explain`: verdict and what determined it, every floor, and what the engine looked at. */
export function explainLines(decision: Decision, nearMisses: readonly NearMiss[], look: Look): Line[] {
  const { dot } = look.marks;
  const verdict = decision.verdict.toUpperCase();
  const demanded = decision.demanded === decision.verdict ? '' : `${dot}demanded ${decision.demanded}`;
  const rows: Line[] = [
    line(
      span(verdict, VERDICT_TONES[decision.verdict]),
      dot,
      span(`${decision.by.kind} ${decision.by.id}`, 'strong'),
      demanded,
      span(`${dot}${formatCount(Math.round(decision.micros))} ${look.unicode ? 'µs' : 'us'}`, 'meta'),
    ),
    ...floorRows(decision, look),
  ];
  const add = (label: string, values: readonly string[]): void => {
    rows.push(...listed(label, values, look, REPORT_LABEL_WIDTH).map(outdented));
  };
  add('because', [decision.because]);
  if (decision.instead !== null) add('instead', [decision.instead]);
  add('facts', [factsText(decision, dot)]);
  add('policy', [policyText(decision, look)]);
  if (decision.obligations.length > 0)
    add(
      'obliges',
      decision.obligations.map((one) => Object.keys(one)[0] ?? ''),
    );
  add(
    'shadow',
    decision.matches
      .filter((match) => !match.applied)
      .map((match) => `${match.effect} ${match.id}: ${match.because}`),
  );
  add('no match', nearMisses);
  return rows;
}

function floorRows(decision: Decision, look: Look): Line[] {
  if (decision.floors.length === 0) return [];
  const table = tableLines(
    [{ title: '' }, { title: '' }, { title: '' }, { title: '' }, { title: '' }],
    decision.floors.map((floor) => [
      { text: `  ${floor.verdict}`, tone: floor.loweredBy === null ? VERDICT_TONES[floor.verdict] : 'meta' },
      `${floor.source.kind} ${floor.source.id}`,
      originText(floor.source),
      floor.kind,
      {
        text:
          floor.loweredBy === null
            ? floor.kind === 'hard'
              ? ''
              : 'not lowered'
            : `lowered by ${sourceText(floor.loweredBy)}`,
        tone: 'meta',
      },
    ]),
    look,
  );
  return table.slice(1);
}

// `listed` indents for cards; a report begins at the left margin.
function outdented(row: Line): Line {
  const [first, ...rest] = row;
  if (first === undefined) return row;
  const text = first.text.startsWith('  ') ? first.text.slice(2) : first.text;
  return text === '' ? rest : [{ text, tone: first.tone }, ...rest];
}

function factsText(decision: Decision, dot: string): string {
  const { facts } = decision;
  const command = facts.command;
  const commands =
    command === null || command === 'unknown'
      ? [facts.tool]
      : command.commands.map(
          (one) => one.text + (one.through.length > 0 ? ` (through ${one.through.join(', ')})` : ''),
        );
  return [commands.join('; '), facts.effective.map((one) => one.name).join(' '), facts.callRisk]
    .filter((part) => part !== '')
    .join(dot);
}

function policyText(decision: Decision, look: Look): string {
  const { policy } = decision;
  const name =
    policy.id === null
      ? messages.banner.noPolicy
      : // Documents on this disk have no state: nothing else says how fresh they are.
        `${policy.id} r${policy.revision ?? 0}${policy.state === 'none' ? '' : ` ${policy.state}`}`;
  return `${name}${look.marks.dot}facts sha256:${decision.factsDigest.replace(/^sha256:/, '').slice(0, 12)}${look.marks.ellipsis}`;
}

export interface DiagLine {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly subject: string;
  readonly text: string;
  /** What to do about it. */
  readonly next?: string;
}

const DIAG_TONES = { ok: 'ok', warn: 'asks', fail: 'failed' } as const;

/** `fail  trust   trust.json:4 bad JSON; kept; its grants off → fix it`. */
export function diagLines(rows: readonly DiagLine[], look: Look): Line[] {
  const widest = rows.reduce((most, row) => Math.max(most, row.subject.length), 0);
  return rows.flatMap((row) =>
    wrapLine(
      line(
        span(padText(row.level, 6), DIAG_TONES[row.level]),
        padText(row.subject, widest + 2),
        row.text,
        row.next === undefined ? '' : ` ${look.marks.arrow} ${row.next}`,
      ),
      look.columns,
      ' '.repeat(widest + 8),
    ),
  );
}

/** A failing check fails the command, so that scripts can ask. */
export function diagExitCode(rows: readonly DiagLine[]): number {
  return rows.some((row) => row.level === 'fail') ? 1 : 0;
}
