import type { ApprovalRequest, Decision, PathFact, ToolCallView } from '@wrongstack/contracts';
import { promptLines } from './collapse-blanks.js';
import { diffLines } from './diff-lines.js';
import { formatMoment, shortenHome } from './format.js';
import { padText } from './graphemes.js';
import { line, span, wrapLine, wrapLines, type Line, type Tone } from './lines.js';
import { messages } from './messages.js';
import { floorText, isExact, subjectText } from './sources.js';
import type { Look } from './theme.js';

/** A question as rows: what is asked is never cut, only wrapped; whoever shows it scrolls. */
export interface QuestionView {
  readonly head: Line;
  /** The whole command or diff, and everything that bears on the answer. */
  readonly body: readonly Line[];
  readonly answers: readonly Line[];
  readonly destructive: boolean;
  readonly trustOffered: boolean;
}

const LABEL_WIDTH = 9;
const ANSWER_WIDTH = 12;
const DIFF_CONTEXT = 2;

export function questionView(request: ApprovalRequest, look: Look, now: number): QuestionView {
  const { decision, call } = request;
  const destructive = decision.facts.callRisk === 'destructive';
  return {
    head: headLine(whoAsks(call.tool.name, decision), decision, look),
    body: [
      ...subjectLines(request.view, decision, look),
      ...inputLines(request, look),
      ...factLines(request, look),
      ...listed(messages.question.why, decision.floors.map(floorText), look),
      ...(decision.trustOffer.offered ? [] : notOffered(decision.trustOffer.reason, look)),
    ],
    answers: destructive ? destructiveAnswers(look) : answerLines(call.tool.name, decision, look, now),
    destructive,
    trustOffered: decision.trustOffer.offered && !destructive,
  };
}

/** A person who did not start the subagent by hand must see whose call it is. */
function whoAsks(tool: string, { facts: { actor } }: Decision): string {
  return actor.subagentDepth === 0 ? tool : `${actor.subagent ?? 'subagent'}: ${tool}`;
}

function headLine(tool: string, decision: Decision, look: Look): Line {
  const risk = decision.facts.callRisk;
  const shown = risk === 'destructive' ? span(risk.toUpperCase(), 'loud') : span(risk, 'meta');
  if (look.plain) return line(`${messages.labels.asks} ${tool}${look.marks.dot}`, shown);
  return line(
    span(look.marks.asks, 'asks'),
    ' ',
    span(messages.question.asks(tool), 'strong'),
    look.marks.dot,
    shown,
  );
}

function subjectLines(view: ToolCallView, decision: Decision, look: Look): Line[] {
  const { command } = decision.facts;
  if (command !== null && command !== 'unknown') return wrapped(promptLines(command.text), look);
  switch (view.card) {
    case 'terminal':
      return wrapped(promptLines(view.title), look);
    case 'diff':
      return view.diffs.flatMap((diff) => [
        ...wrapped([realPathOf(diff.path, decision, look)], look),
        ...wrapLines(diffLines(diff, DIFF_CONTEXT, look), look.columns, '      ', 'hard'),
      ]);
    case 'generic':
      return [
        ...wrapped(promptLines(view.title), look),
        ...(view.content ?? []).flatMap((block) =>
          block.type === 'text' ? wrapped(promptLines(block.text), look) : [],
        ),
      ];
  }
}

/**
 * What exactly would be run. The command of a call comes from its facts and a core tool's diff is its input; any other
 * card is whatever its author made of the input, and may leave out the part that matters.
 */
function inputLines({ view, decision, call }: ApprovalRequest, look: Look): Line[] {
  const core = decision.facts.owner === 'core';
  if (core && (decision.facts.command !== null || view.card !== 'generic')) return [];
  const input = core && view.card === 'generic' ? (view.rawInput ?? call.input) : call.input;
  return wrapped(promptLines(shownInput(input)), look);
}

function shownInput(input: unknown): string {
  if (typeof input === 'string') return input;
  return input === undefined ? '' : JSON.stringify(input, null, 2);
}

function wrapped(rows: readonly string[], look: Look): Line[] {
  return rows.flatMap((row) => wrapLine(line(`  ${row}`), look.columns, '    ', 'hard'));
}

function realPathOf(path: string, decision: Decision, look: Look): string {
  const { paths } = decision.facts;
  const fact =
    paths === 'unknown' ? undefined : paths.find((one) => one.claimed === path && one.access === 'write');
  const shown = shortenHome(fact?.real ?? path, look.home);
  return fact !== undefined && !fact.inside ? `${shown}  ${messages.question.outside}` : shown;
}

function factLines(request: ApprovalRequest, look: Look): Line[] {
  const { decision, call, view } = request;
  const { facts } = decision;
  const isCommand = facts.command !== null;
  const cwd = shortenHome(facts.cwd ?? call.cwd, look.home);
  const rows: Line[] = isCommand ? listed(messages.question.in, [cwd], look) : [];
  if (facts.paths === 'unknown') {
    rows.push(...listed(messages.question.writes, [messages.question.unknownPaths], look));
  } else {
    const removes = (path: PathFact): boolean => isDeletion(path, decision, view);
    const deleted = facts.paths.filter((path) => path.access === 'write' && removes(path));
    const written = facts.paths.filter((path) => path.access === 'write' && !removes(path));
    // Reading in the project is no news; a read that leaves it or touches a credential is.
    const read = facts.paths.filter(
      (path) => path.access === 'read' && (!path.inside || path.credential !== null),
    );
    const remarked = view.card === 'diff' ? written.filter((path) => remarkOf(path) !== '') : written;
    rows.push(...pathLines(messages.question.deletes, deleted, look));
    rows.push(...pathLines(messages.question.writes, remarked, look));
    rows.push(
      ...pathLines(
        messages.question.reads,
        read.filter((path) => !path.scratch),
        look,
      ),
    );
  }
  if (facts.hosts === 'unknown') {
    rows.push(...listed(messages.question.hosts, [messages.question.unknownHosts], look));
  } else {
    const hosts = facts.hosts.map((host) => (host.host === null ? messages.question.unknownPath : host.host));
    rows.push(...listed(messages.question.hosts, [...new Set(hosts)], look));
  }
  return rows;
}

const DELETERS = new Set(['rm', 'rmdir', 'unlink', 'shred', 'find', 'git']);

function isDeletion(path: PathFact, decision: Decision, view: ToolCallView): boolean {
  if (path.command === null) return view.card === 'generic' && view.kind === 'delete';
  const { command } = decision.facts;
  if (command === null || command === 'unknown') return false;
  const name = command.commands[path.command]?.argv[0]?.split('/').at(-1) ?? '';
  return DELETERS.has(name);
}

function pathLines(label: string, paths: readonly PathFact[], look: Look): Line[] {
  const rows = paths.map((path) => ({ name: pathName(path, look), remark: remarkOf(path) }));
  const widest = Math.min(
    Math.max(0, ...rows.map((row) => row.name.length)) + 2,
    Math.max(12, look.columns - LABEL_WIDTH - 20),
  );
  const texts = rows.map((row) =>
    row.remark === '' ? row.name : `${padText(row.name, widest)}  ${row.remark}`,
  );
  return listed(label, [...new Set(texts)], look);
}

function pathName(path: PathFact, look: Look): string {
  if (path.claimed === null) return messages.question.unknownPath;
  return path.real === null
    ? `${path.claimed} (${messages.question.unresolvable})`
    : shortenHome(path.real, look.home);
}

function remarkOf(path: PathFact): string {
  const remarks = [
    path.inside || path.scratch || path.claimed === null ? null : messages.question.outside,
    path.protected,
    path.credential,
  ];
  return remarks.filter((remark) => remark !== null).join(', ');
}

/** A label, then one value a row, aligned: `  why      tool bash needs confirmation`. */
export function listed(label: string, values: readonly string[], look: Look, width = LABEL_WIDTH): Line[] {
  return labelled(label, 'meta', width, values, look);
}

function labelled(label: string, tone: Tone, width: number, values: readonly string[], look: Look): Line[] {
  return values.flatMap((value, index) => {
    const name = padText(index === 0 ? label : '', width);
    return wrapLine(line('  ', span(name, tone), value), look.columns, ' '.repeat(width + 2));
  });
}

function notOffered(reason: string, look: Look): Line[] {
  return listed(messages.question.always, [messages.question.notOffered(reason)], look);
}

function destructiveAnswers(look: Look): Line[] {
  if (look.plain) return wrapLine(line(`  ${messages.question.plainDestructive}`), look.columns, '  ');
  const { destructiveKeys, no, noAndWhy } = messages.question;
  const text = [destructiveKeys, `n ${no}`, `e ${noAndWhy}`].join(look.marks.dot);
  return wrapLine(line('  ', span(text, 'strong')), look.columns, '  ');
}

function answerLines(tool: string, decision: Decision, look: Look, now: number): Line[] {
  const { question } = messages;
  const offer = decision.trustOffer;
  const rows = (label: string, values: readonly string[]): Line[] =>
    labelled(label, 'strong', ANSWER_WIDTH, values, look);
  const trust = offer.offered
    ? [
        ...rows('a  always', [
          offer.subjects.map((subject) => subjectText(tool, subject, look.home)).join(', '),
          validity(offer.subjects.every(isExact), offer.expiresAt, now),
        ]),
        ...rows('v  never', [question.never(offer.subjects.length)]),
      ]
    : [];
  if (look.plain) {
    const text = offer.offered ? question.plainTrust : question.plainOnce;
    return [...trust, ...wrapLine(line(`  ${text}`), look.columns, '  ')];
  }
  const keys = [
    padText(`y  ${question.once}`, 15),
    padText(`n  ${question.no}`, 13),
    `e  ${question.noAndWhy}`,
  ];
  return [...wrapLine(line('  ', span(keys.join(''), 'strong')), look.columns, '  '), ...trust];
}

function validity(exact: boolean, expiresAt: string, now: number): string {
  const expires = Date.parse(expiresAt);
  const hours = Math.max(0, Math.round((expires - now) / 3_600_000));
  const kind = exact ? messages.question.exact : messages.question.pattern;
  return `${kind}, ${messages.question.until(formatMoment(expires), hours)}`;
}
