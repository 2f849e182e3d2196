import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notify } from '../../parts/notify.js';
import type { Tagged } from './identities.js';

interface Options<Value> {
  readonly key: string;
  readonly read: (signal: AbortSignal) => Promise<Tagged<Value>>;
  readonly write: (value: Value, etag: string) => Promise<void>;
}

/** One thing that a few people edit, as a form: what somebody else saved meanwhile is never written over. */
export function useTaggedForm<Value>({ key, read, write }: Options<Value>) {
  const queries = useQueryClient();
  const saved = useQuery({ queryKey: [key], queryFn: ({ signal }) => read(signal), staleTime: Infinity });
  const [edited, setEdited] = useState<Tagged<Value> | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const shown = edited ?? saved.data ?? null;
  return {
    value: shown?.value ?? null,
    dirty: edited !== null,
    busy,
    error: error ?? saved.error,
    set: (value: Value) => {
      if (shown !== null) setEdited({ value, etag: shown.etag });
    },
    /** What was saved last, and nothing of what is typed here. */
    reload: () => {
      setEdited(null);
      setError(null);
      void queries.invalidateQueries({ queryKey: [key] });
    },
    save: async (): Promise<void> => {
      if (edited === null) return;
      setBusy(true);
      setError(null);
      try {
        await write(edited.value, edited.etag);
        await queries.invalidateQueries({ queryKey: [key] });
        setEdited(null);
        notify({ tone: 'good', title: 'Saved' });
      } catch (failure) {
        setError(failure);
      } finally {
        setBusy(false);
      }
    },
  };
}
