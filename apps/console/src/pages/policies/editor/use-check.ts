import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { policyKey } from '../policies.js';
import { type Checked, checkText } from './checks.js';

const PAUSE_MS = 350;

export interface Check {
  /** Of the text as it was a moment ago; null before the first one. */
  readonly result: Checked | null;
  readonly problems: Checked['problems'];
  /** The result is of an older text. */
  readonly behind: boolean;
  readonly error: unknown;
  readonly again: () => void;
}

/** Checks what is typed as soon as somebody pauses. */
export function useCheck(id: string, text: string): Check {
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const check = useQuery({
    queryKey: policyKey(id, 'check', settled),
    queryFn: ({ signal }) => checkText(id, settled, signal),
    enabled: settled.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  });
  const { data } = check;
  return {
    result: data ?? null,
    problems: data?.problems ?? NONE,
    behind: settled !== text || check.isFetching,
    error: check.error,
    again: () => void check.refetch(),
  };
}

const NONE: Checked['problems'] = [];
