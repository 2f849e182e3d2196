import { connectNow, type StreamState } from '../client/event-stream.js';
import classes from './stream-notice.module.css';

const WORDS: Readonly<Record<StreamState, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  slow: 'Slow: nothing was heard for 20 s, and what you see may be a little old.',
  late: 'Out of touch: what you see may be old. Connecting again…',
  ended: 'Ended',
  refused: 'Not live: your roles do not allow this stream',
};

/** Whether a page is up to date by itself, in a few words beside its title, and a way not to wait where it is not. */
export function StreamNotice({ state }: { readonly state: StreamState }) {
  return (
    <span className={classes['notice']} data-state={state}>
      <span className={classes['dot']} aria-hidden="true" />
      <span role="status">{WORDS[state]}</span>
      {state === 'slow' || state === 'late' ? (
        <button type="button" className={classes['now']} onClick={connectNow}>
          Connect now
        </button>
      ) : null}
    </span>
  );
}
