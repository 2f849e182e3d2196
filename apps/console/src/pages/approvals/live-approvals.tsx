import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Signal } from '../../client/signal.js';
import type { StreamState } from '../../client/event-stream.js';
import { useEvents } from '../../client/use-events.js';
import { useSession } from '../../session/use-session.js';
import { type Approval, approvalKey, LISTS_KEY } from './approvals.js';
import { announce } from './announce.js';

/** Whether the queue is up to date by itself. One stream a window, whatever page is open. */
export const liveState = new Signal<StreamState>('connecting');

/** Keeps what was read of approvals as it is now, and tells of new ones. Mounted once, for those who may read them. */
export function LiveApprovals() {
  const queries = useQueryClient();
  const { user } = useSession();
  const state = useEvents('/v1/approvals/events', (name, data) => {
    if (name !== 'approval') return;
    // The document says what this stream's events hold.
    const { action, approval } = data as { readonly action: string; readonly approval: Approval };
    queries.setQueryData(approvalKey(approval.id), approval);
    void queries.invalidateQueries({ queryKey: LISTS_KEY });
    if (action === 'approval.requested' && approval.requester.id !== user.id) announce(approval);
  });
  useEffect(() => {
    // What happened while it was away is told by nobody else.
    if (liveState.value === 'late' && state === 'live')
      void queries.invalidateQueries({ queryKey: ['approvals'] });
    liveState.set(state);
  }, [state, queries]);
  return null;
}
