import type { SessionEntry, SessionId, SessionSummary } from '@wrongstack/contracts';

const LONGEST_PREVIEW = 120;

/** What `list` shows, folded from the entries one by one. `state` comes later: it depends on who holds the lock. */
export interface SummarySoFar {
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly projectRoot: string;
  readonly branch: string | null;
  readonly preview: string;
  readonly calls: number;
  readonly denials: number;
  readonly running: boolean;
}

export const EMPTY_SUMMARY: SummarySoFar = {
  startedAt: '',
  updatedAt: '',
  projectRoot: '',
  branch: null,
  preview: '',
  calls: 0,
  denials: 0,
  running: false,
};

export function foldSummary(before: SummarySoFar, entry: SessionEntry): SummarySoFar {
  // Entries come from a file: a field may be anything, whatever its type promises.
  const fields = entry as Readonly<Record<string, unknown>>;
  const after = { ...before, updatedAt: entry.ts };
  switch (entry.type) {
    case 'session_start':
      return {
        ...after,
        startedAt: entry.ts,
        projectRoot: text(fields['projectRoot']),
        branch: typeof fields['branch'] === 'string' ? fields['branch'] : null,
      };
    case 'run_start':
      return { ...after, running: true };
    case 'run_end':
      return { ...after, running: false };
    case 'user_input':
      return { ...after, preview: before.preview || previewOf(fields['content']) };
    case 'tool_use':
      return { ...after, calls: before.calls + 1 };
    case 'tool_result':
      return fields['status'] === 'denied' ? { ...after, denials: before.denials + 1 } : after;
    default:
      return after;
  }
}

export function finishSummary(id: SessionId, soFar: SummarySoFar, locked: boolean): SessionSummary {
  const { running, ...rest } = soFar;
  return { id, ...rest, state: locked ? 'open' : running ? 'interrupted' : 'ended' };
}

/** A sidecar may be of an older version or damaged; it is then made again. */
export function isSummary(value: unknown): value is SummarySoFar {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return (
    ['startedAt', 'updatedAt', 'projectRoot', 'preview'].every((key) => typeof fields[key] === 'string') &&
    (fields['branch'] === null || typeof fields['branch'] === 'string') &&
    typeof fields['calls'] === 'number' &&
    typeof fields['denials'] === 'number' &&
    typeof fields['running'] === 'boolean'
  );
}

function previewOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  const texts = content.map((block: unknown) =>
    typeof block === 'object' && block !== null && 'text' in block ? text(block.text) : '',
  );
  const line = texts.join(' ').slice(0, 4000).replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length > LONGEST_PREVIEW ? `${characters.slice(0, LONGEST_PREVIEW).join('')}…` : line;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
