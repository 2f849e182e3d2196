import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';

interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export interface PagedRows<T> {
  readonly rows: readonly T[];
  readonly more: boolean;
  readonly loading: boolean;
  readonly error: unknown;
  /** Asks for the next page, once, however often it is called. */
  readonly onNearEnd: () => void;
  readonly again: () => void;
  /** From the beginning. */
  readonly reload: () => void;
}

/**
 * A list of the API, page after page as somebody scrolls. Nothing is asked for again by itself: a long list that is read for the
 * second time would be hundreds of requests.
 */
export function usePagedRows<T>(
  key: readonly unknown[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
): PagedRows<T> {
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Infinity,
    gcTime: 60_000,
    refetchOnReconnect: false,
  });
  const { data, hasNextPage, isFetching, isPending, error, fetchNextPage, refetch } = query;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const onNearEnd = useCallback(() => {
    if (!isFetching && error === null) void fetchNextPage();
  }, [isFetching, error, fetchNextPage]);
  return {
    rows,
    more: hasNextPage,
    loading: isPending,
    error,
    onNearEnd,
    again: () => void (data === undefined ? refetch() : fetchNextPage()),
    reload: () => void queries.resetQueries({ queryKey: key, exact: true }),
  };
}
