import { assertNever, type SubagentReport } from '@wrongstack/contracts';

const MOST_DENIALS = 10;
const MOST_FILES = 30;

/** What the parent's model reads: the answer, then a short account of how it came about. */
export function reportText(report: SubagentReport): string {
  const { name, text, calls, turns, denials, files, session } = report;
  const answer = text.trim() === '' ? `(${name} gave no answer)` : text.trim();
  const counts = [
    `${calls.ok} ok`,
    ...(calls.failed > 0 ? [`${calls.failed} failed`] : []),
    ...(calls.denied > 0 ? [`${calls.denied} denied`] : []),
  ];
  return [
    answer,
    '',
    `[${name}: ${endText(report)} · ${turns} turns, ${calls.total} calls (${counts.join(', ')}) · session ${session}]`,
    ...some(denials, MOST_DENIALS, denialText),
    ...some(files, MOST_FILES, ({ path, added, removed }) => `changed ${path} +${added} -${removed}`),
  ].join('\n');
}

export function endText({ status, error }: SubagentReport): string {
  switch (status) {
    case 'completed':
      return 'done';
    case 'stopped_by_policy':
      return 'done, with denied calls';
    case 'limit':
      return `stopped by its budget${error === null ? '' : ` (${error.split(';')[0] ?? ''})`}; the answer may be incomplete`;
    case 'timeout':
      return 'stopped, its time was up; the answer may be incomplete';
    case 'interrupted':
      return 'interrupted';
    case 'failed':
      return `failed${error === null ? '' : `: ${error}`}`;
    default:
      return assertNever(status);
  }
}

/** The capability is named, so that the parent knows what its subagent will never get. */
function denialText({ tool, capabilities, because, instead }: SubagentReport['denials'][number]): string {
  const needed = capabilities.length === 0 ? '' : ` (${capabilities.join(', ')})`;
  const why = because === null ? '' : `: ${because}`;
  return `denied ${tool}${needed}${why}${instead === null ? '' : `. Instead: ${instead}`}`;
}

function some<T>(items: readonly T[], most: number, lineOf: (item: T) => string): readonly string[] {
  const lines = items.slice(0, most).map((item) => lineOf(item).replace(/\s*\n\s*/g, ' '));
  return items.length > most ? [...lines, `and ${items.length - most} more`] : lines;
}
