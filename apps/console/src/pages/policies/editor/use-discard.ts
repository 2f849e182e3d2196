import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { discardDraft, draftKey } from '../draft.js';
import { policyKey } from '../policies.js';
import type { DraftEditing } from './use-draft-editing.js';

/** Throwing a draft away, after a last word. */
export function useDiscard(id: string, { etag, revert }: DraftEditing) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  return {
    asking,
    ask: () => setAsking(true),
    cancel: () => setAsking(false),
    confirm: async (): Promise<void> => {
      if (etag !== null) await discardDraft(id, etag);
      revert();
      queries.setQueryData(draftKey(id), null);
      await queries.invalidateQueries({ queryKey: policyKey(id), exact: true });
    },
  };
}
