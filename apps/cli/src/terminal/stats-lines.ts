import type { Stats } from '../stats/session-stats.js';
import { formatCost, formatCount, formatDuration, formatTokens } from './format.js';
import { EMPTY_LINE, line, span, type Line } from './lines.js';
import { tableLines } from './table.js';
import type { Look } from './theme.js';

const STEPS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_STEPS = ['.', ':', '-', '=', '+', '*', '#', '@'];
const MOST_ROWS = 10;

/** `wstack stats`: the sum, a chart of each day, tools and models. */
export function statsLines(stats: Stats, look: Look): Line[] {
  const { sessions, runs, calls, denied, durationMs, tokens, costUsd } = stats;
  const facts = [
    `${formatCount(sessions)} sessions`,
    `${formatCount(runs)} runs`,
    `${formatCount(calls)} calls`,
    `${formatCount(denied)} denied`,
    `tools ran ${formatDuration(durationMs)}`,
    `${formatTokens(tokens)} tokens`,
    ...(costUsd === null ? [] : [formatCost(costUsd)]),
  ];
  return [
    line(facts.join(look.marks.dot)),
    EMPTY_LINE,
    ...chartLines(stats, look),
    EMPTY_LINE,
    ...toolTable(stats, look),
    ...(stats.models.length === 0 ? [] : [EMPTY_LINE, ...modelTable(stats, look)]),
  ];
}

/** One character a value: nothing where there was nothing, else at least the lowest step, so that little is seen as little. */
export function sparkline(values: readonly number[], unicode: boolean): string {
  const steps = unicode ? STEPS : ASCII_STEPS;
  const most = Math.max(0, ...values);
  return values
    .map((value) => (value <= 0 ? ' ' : (steps[Math.ceil((value / most) * steps.length) - 1] ?? ' ')))
    .join('');
}

function chartLines({ days }: Stats, look: Look): Line[] {
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return [];
  const unicode = look.marks.ok === '✓';
  const chart = (title: string, values: readonly number[], most: string): Line =>
    line(span(title, 'meta'), '|', sparkline(values, unicode), '|', span(` most in a day ${most}`, 'meta'));
  const calls = days.map((day) => day.calls);
  const tokens = days.map((day) => day.tokens);
  return [
    chart('calls   ', calls, formatCount(Math.max(...calls))),
    chart('tokens  ', tokens, formatTokens(Math.max(...tokens))),
    line(span(`         ${first.day} ${look.marks.arrow} ${last.day}`, 'meta')),
  ];
}

function toolTable({ tools }: Stats, look: Look): Line[] {
  const rows = tools
    .slice(0, MOST_ROWS)
    .map(({ tool, calls, denied, failed, durationMs }) => [
      formatCount(calls),
      { text: formatCount(denied), tone: denied > 0 ? ('denied' as const) : ('text' as const) },
      formatCount(failed),
      formatDuration(durationMs),
      tool,
    ]);
  const right = { align: 'right' } as const;
  return tableLines(
    [
      { title: 'CALLS', ...right },
      { title: 'DENIED', ...right },
      { title: 'FAILED', ...right },
      { title: 'TIME', ...right },
      { title: 'TOOL' },
    ],
    rows,
    look,
  );
}

function modelTable({ models }: Stats, look: Look): Line[] {
  const right = { align: 'right' } as const;
  return tableLines(
    [
      { title: 'ANSWERS', ...right },
      { title: 'IN', ...right },
      { title: 'CACHED', ...right },
      { title: 'OUT', ...right },
      { title: 'COST', ...right },
      { title: 'MODEL' },
    ],
    models
      .slice(0, MOST_ROWS)
      .map(({ model, answers, usage, costUsd }) => [
        formatCount(answers),
        formatTokens(usage.inputTokens + usage.cacheWriteTokens),
        formatTokens(usage.cacheReadTokens),
        formatTokens(usage.outputTokens),
        costUsd === null ? '?' : formatCost(costUsd),
        model,
      ]),
    look,
  );
}
