import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../session/use-session.js';
import { waiting, WAITING_KEY } from './approvals.js';

/** How many requests wait for this very person. */
export function useWaitingForMe(): number {
  const may = useMay();
  const { data = [] } = useQuery({
    queryKey: WAITING_KEY,
    queryFn: ({ signal }) => waiting(signal),
    enabled: may('decide:Approval'),
  });
  return data.filter(({ mayDecide }) => mayDecide).length;
}
