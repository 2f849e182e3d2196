import { useEffect, useRef, useState } from 'react';
import { followEvents, type StreamState } from './event-stream.js';

interface Options {
  /** Name of the event behind which nothing comes. */
  readonly last?: string;
  readonly enabled?: boolean;
}

/** Follows a stream for as long as the component is there. Gives whether what is shown can be relied on. */
export function useEvents(
  url: string,
  onEvent: (name: string, data: unknown) => void,
  { last, enabled = true }: Options = {},
): StreamState {
  const [state, setState] = useState<StreamState>('connecting');
  const listener = useRef(onEvent);
  useEffect(() => {
    listener.current = onEvent;
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const stop = new AbortController();
    void followEvents(
      url,
      {
        event: (name, data) => listener.current(name, data),
        state: setState,
        ...(last === undefined ? {} : { last }),
      },
      stop.signal,
    );
    return () => stop.abort();
  }, [url, last, enabled]);
  return state;
}
