import { Signal } from '../client/signal.js';

export interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'bad' | 'neutral';
  readonly title: string;
  readonly text: string | null;
}

const SHOWN_MS = 6_000;
const MOST = 4;
let last = 0;

export const notices = new Signal<readonly Notice[]>([]);

/** A word in the corner. What went wrong stays until it was read; the rest goes by itself. */
export function notify({
  tone,
  title,
  text = null,
}: Omit<Notice, 'id' | 'text'> & { text?: string | null }): void {
  const id = (last += 1);
  notices.set([...notices.value, { id, tone, title, text }].slice(-MOST));
  if (tone !== 'bad') setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  notices.set(notices.value.filter((notice) => notice.id !== id));
}
