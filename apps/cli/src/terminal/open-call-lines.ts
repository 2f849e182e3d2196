import type { Conversation, PendingCall } from '@wrongstack/kernel';
import type { CallViews } from './call-views.js';
import { titledLine } from './cards.js';
import { line, span, wrapLine, type Line } from './lines.js';
import { messages } from './messages.js';
import type { Look } from './theme.js';

/** Who could still end a call without a result: the process that has the session open, a later resume, the one now. */
export type LogState = 'open elsewhere' | 'left' | 'being resumed';

/** What a log has no result for, which a transcript would otherwise pass over in silence. */
export function openCallLines(
  { pending, repairs }: Pick<Conversation, 'pending' | 'repairs'>,
  state: LogState,
  views: CallViews,
  look: Look,
): Line[] {
  return [
    ...repairs.map((what) => line(span(`${look.marks.warning} ${what}`, 'warning'))),
    ...pending.flatMap((call) => linesOf(call, state, views, look)),
  ];
}

function linesOf(call: PendingCall, state: LogState, views: CallViews, look: Look): Line[] {
  const { name, input } = call.use;
  const { title } = views.call(name, input);
  const waits = (word: string): Line =>
    titledLine(look, look.marks.waiting, 'asks', name, title, look.marks.dot + word, null);
  const { underWay, notRun, interrupted, unknown, decidedLater } = messages.openCall;
  if (state === 'open elsewhere') return [waits(underWay)];
  if (call.started) {
    const head = titledLine(
      look,
      look.marks.failed,
      'failed',
      name,
      title,
      look.marks.dot + interrupted,
      null,
    );
    return [head, ...wrapLine(line(`  ${unknown}`), look.columns, '  ')];
  }
  // The one that resumes it says itself what becomes of such a call.
  if (state === 'being resumed') return [];
  return [waits(notRun), ...(call.masked ? [] : wrapLine(line(`  ${decidedLater}`), look.columns, '  '))];
}
