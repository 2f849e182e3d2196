import type { ToolProgressEvent } from '@wrongstack/contracts';

/** What a task's output holds of an event of its tool. */
export function progressText(event: ToolProgressEvent): string {
  const text: unknown = event.text;
  if (typeof text !== 'string') return '';
  return event.type === 'partial_output' ? text : `${text}\n`;
}
