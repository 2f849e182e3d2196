import { notify } from '../../parts/notify.js';
import { visibleText } from '../../parts/visible-text.js';
import type { Approval } from './approvals.js';

const MOST_CHARACTERS = 160;

export function mayNotify(): NotificationPermission | 'unsupported' {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;
}

/** Asks the person, once they have pressed a button: a browser lets nobody ask before. */
export async function askToNotify(): Promise<NotificationPermission> {
  return Notification.requestPermission();
}

/** Somebody waits for a yes or a no: a word in the corner, and where this window is not seen, one of the system's. */
export function announce({ id, title, requester, because }: Approval): void {
  const what = visibleText(title).slice(0, MOST_CHARACTERS);
  const who = visibleText(requester.name);
  if (document.visibilityState === 'visible') {
    notify({ tone: 'neutral', title: `${who} asks for a yes`, text: what });
    return;
  }
  if (mayNotify() !== 'granted') return;
  const shown = new Notification(`${who} asks for a yes`, {
    body: `${what}\n${visibleText(because).slice(0, MOST_CHARACTERS)}`,
    // The same request is announced once, however many windows are open.
    tag: id,
  });
  shown.addEventListener('click', () => {
    window.focus();
    location.assign(`/console/approvals/${encodeURIComponent(id)}`);
  });
}
