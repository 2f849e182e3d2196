import type { SessionFacts, Verdict } from '@wrongstack/contracts';
import type { MergedLocks } from '../rules/merged-locks.js';

/** What becomes of a demand where the session cannot ask; `note` says why, for the person. */
export interface ChannelAnswer {
  readonly verdict: Verdict;
  readonly note: string | null;
}

/** Interactive sessions prompt; headless ones never do. Approvals need a control plane that can be reached. */
export function throughChannel(demanded: Verdict, session: SessionFacts, locks: MergedLocks): ChannelAnswer {
  switch (demanded) {
    case 'allow':
    case 'deny':
      return { verdict: demanded, note: null };
    case 'approve':
      return session.remoteApprovals
        ? { verdict: 'approve', note: null }
        : { verdict: 'deny', note: 'no control plane can be reached to ask for the approval' };
    case 'confirm':
      return confirmed(session, locks);
  }
}

function confirmed(session: SessionFacts, locks: MergedLocks): ChannelAnswer {
  if (session.interactive) return { verdict: 'confirm', note: null };
  if (locks.headlessConfirm === 'queue' && session.remoteApprovals) {
    return {
      verdict: 'approve',
      note: 'nobody is at the keyboard, so it waits for somebody who can confirm it',
    };
  }
  return { verdict: 'deny', note: 'nobody is at the keyboard to confirm it' };
}
