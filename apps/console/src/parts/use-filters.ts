import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';

/** Filters of a list, kept in the address: a link shows others the same, and Back undoes a choice. */
export function useFilters<K extends string>(
  names: readonly K[],
): readonly [Partial<Record<K, string>>, (name: K, value: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const text = params.toString();
  const filters = useMemo(() => {
    const found: Partial<Record<K, string>> = {};
    const given = new URLSearchParams(text);
    for (const name of names) {
      const value = given.get(name);
      if (value !== null && value !== '') found[name] = value;
    }
    return found;
  }, [names, text]);
  const set = useCallback(
    (name: K, value: string | null) =>
      setParams((before) => {
        const next = new URLSearchParams(before);
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
        return next;
      }),
    [setParams],
  );
  return [filters, set];
}
