import { Link } from 'wouter';
import { EmptyState } from '../../parts/empty-state.js';
import { useMay } from '../../session/use-session.js';
import type { Span } from './overview.js';
import classes from './fresh-installation.module.css';

/** What to do so that there is something to look at. */
export function FreshInstallation({ span }: { readonly span: Span }) {
  const may = useMay();
  return (
    <EmptyState icon="overview" title="Nothing to count yet">
      <p>No machine has enrolled, and nothing was decided in {span.words}. What comes first:</p>
      <ol className={classes['steps']}>
        <li>
          {may('create:Policy') ? <Link href="/policies">Write a policy</Link> : 'An editor writes a policy'}:
          what agents may do, what asks, what waits for people.
        </li>
        <li>
          People enrol their machines:
          <code className={classes['command']}>wstack login --server {location.origin}</code>
        </li>
        <li>What is decided there is counted here a few seconds later.</li>
      </ol>
    </EmptyState>
  );
}
