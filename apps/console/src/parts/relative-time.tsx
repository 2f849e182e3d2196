import { relative } from './relative.js';
import { useNow } from './use-now.js';

/** `3 minutes ago`, `in 2 hours`; the exact time when somebody points at it, or reads by machine. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow();
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={new Date(time).toLocaleString()}>
      {relative(time, now)}
    </time>
  );
}
