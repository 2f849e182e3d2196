import { useState } from 'react';

export interface Sending {
  readonly busy: boolean;
  /** What came back of the last attempt; null while nothing went wrong. */
  readonly error: unknown;
  /** Resolves with whether it went through; what went wrong is in `error` then. */
  readonly send: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** One thing that a person sends: whether it is on its way, and what was wrong with it. */
export function useSending(): Sending {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  return {
    busy,
    error,
    send: async (work) => {
      setBusy(true);
      setError(null);
      try {
        await work();
        return true;
      } catch (failure) {
        setError(failure);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
