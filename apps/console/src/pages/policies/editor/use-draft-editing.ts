import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keepDraft, readDraft as readKept } from '../../../parts/drafts.js';
import { notify } from '../../../parts/notify.js';
import { draftKey, readDraft, saveDraft, type SavedMeanwhile } from '../draft.js';
import { policyKey } from '../policies.js';
import { conflictsIn, mergeTexts, type Region, resolved } from './merge.js';

/** What is written, and on top of what: enough to merge after a reload, too. */
interface Editing {
  readonly text: string;
  readonly base: string;
  /** Of the draft below it; null = there is none yet. */
  readonly etag: string | null;
}

/** Both changed the same lines: what to take is for a person. */
export interface OpenConflict {
  readonly regions: readonly Region[];
  readonly current: NonNullable<SavedMeanwhile['current']>;
}

export interface DraftEditing {
  readonly text: string;
  readonly dirty: boolean;
  /** What is saved at the API, for those who compare. */
  readonly base: string;
  readonly etag: string | null;
  readonly saving: boolean;
  readonly error: unknown;
  readonly conflict: OpenConflict | null;
  /** Who saved something newer than what this is written on. */
  readonly newerBy: string | null;
  readonly set: (text: string) => void;
  /** True when what was written is saved now. */
  readonly save: () => Promise<boolean>;
  readonly settle: (text: string) => void;
  /** What was written since the last saving is forgotten. */
  readonly revert: () => void;
}

const LOOK_EVERY_MS = 15_000;

/** A draft as one person edits it, beside others who may do so as well. `start`: where nobody has begun. Null while it loads. */
export function useDraftEditing(id: string, start: string): DraftEditing | null {
  const queries = useQueryClient();
  const saved = useQuery({
    queryKey: draftKey(id),
    queryFn: ({ signal }) => readDraft(id, signal),
    refetchInterval: LOOK_EVERY_MS,
  });
  const [editing, setEditing] = useState<Editing | null>(() => keptEditing(id));
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [conflict, setConflict] = useState<OpenConflict | null>(null);
  const there = saved.data;
  const dirty = editing !== null && editing.text !== editing.base;

  useEffect(() => {
    keepDraft(keyOf(id), dirty ? JSON.stringify(editing) : null);
  }, [id, dirty, editing]);

  if (there === undefined) return null;
  // Where nothing was written here, what others save is simply shown.
  const shown = dirty
    ? editing
    : { text: there?.text ?? start, base: there?.text ?? start, etag: there?.etag ?? null };

  function begin(text: string, base: string, etag: string | null): void {
    setEditing({ text, base, etag });
  }

  function meet(current: SavedMeanwhile['current'], mine: Editing): void {
    if (current === null) {
      // They threw it away: what is written here begins a new one.
      begin(mine.text, start, null);
      notify({
        tone: 'bad',
        title: 'The draft was thrown away meanwhile',
        text: 'Yours is still here: save again to keep it.',
      });
      return;
    }
    queries.setQueryData(draftKey(id), { id, ...current });
    const regions = mergeTexts(mine.base, mine.text, current.text);
    if (conflictsIn(regions).length > 0) {
      setConflict({ regions, current });
      return;
    }
    begin(resolved(regions, []), current.text, current.etag);
    notify({
      tone: 'neutral',
      title: `${current.author} saved meanwhile`,
      text: 'Their change and yours are merged. Look at it, and save.',
    });
  }

  async function save(): Promise<boolean> {
    if (saving) return false;
    const { text, etag } = shown;
    setSaving(true);
    setError(null);
    try {
      const answer = await saveDraft(id, text, etag);
      if ('current' in answer) {
        meet(answer.current, shown);
        return false;
      }
      queries.setQueryData(draftKey(id), answer.draft);
      // What was typed while it was on its way stays, on top of what is saved now.
      setEditing((now) => (now === null ? null : { ...now, base: text, etag: answer.draft.etag }));
      void queries.invalidateQueries({ queryKey: policyKey(id), exact: true });
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    } finally {
      setSaving(false);
    }
  }

  return {
    text: shown.text,
    dirty,
    base: shown.base,
    etag: shown.etag,
    saving,
    error: error ?? saved.error,
    conflict,
    newerBy: dirty && there !== null && there.etag !== shown.etag ? there.author : null,
    set: (text) => begin(text, shown.base, shown.etag),
    save,
    settle: (text) => {
      if (conflict !== null) begin(text, conflict.current.text, conflict.current.etag);
      setConflict(null);
    },
    revert: () => {
      setEditing(null);
      setError(null);
    },
  };
}

function keyOf(id: string): string {
  return `policy.${id}`;
}

function keptEditing(id: string): Editing | null {
  const kept = readKept(keyOf(id));
  if (kept === null) return null;
  try {
    const { text, base, etag } = JSON.parse(kept) as Partial<Editing>;
    return typeof text === 'string' && typeof base === 'string' ? { text, base, etag: etag ?? null } : null;
  } catch {
    return null;
  }
}
