import type { StreamState } from '../client/event-stream.js';
import classes from './stream-notice.module.css';

const WORDS: Readonly<Record<StreamState, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  late: 'Out of touch: what you see may be old. Trying again…',
  ended: 'Ended',
  refused: 'Not live: your roles do not allow this stream',
};

/** Whether a page is up to date by itself, in a word beside its title. */
export function StreamNotice({ state }: { readonly state: StreamState }) {
  return (
    <span role="status" className={classes['notice']} data-state={state}>
      <span className={classes['dot']} aria-hidden="true" />
      {WORDS[state]}
    </span>
  );
}
