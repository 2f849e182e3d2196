import { useQuery } from '@tanstack/react-query';
import { type PolicyLanguage, policyLanguage } from './checks.js';

/** What policies are written with; null until it was read. It does not change while a page is open. */
export function useLanguage(): PolicyLanguage | null {
  const language = useQuery({
    queryKey: ['policy-language'],
    queryFn: ({ signal }) => policyLanguage(signal),
    staleTime: Infinity,
  });
  return language.data ?? null;
}
