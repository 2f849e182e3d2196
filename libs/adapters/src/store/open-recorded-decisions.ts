import type { RecordedDecisions } from '@wrongstack/contracts/control';
import type { StorePlace } from './open-control-store.js';

/** A store that is open elsewhere, opened a second time to read decisions. It must have been migrated. */
export async function openRecordedDecisions(place: StorePlace): Promise<RecordedDecisions> {
  if ('databaseUrl' in place) {
    const { openPostgresDecisions } = await import('./postgres/open-postgres.js');
    return openPostgresDecisions(place.databaseUrl, place.postgres);
  }
  const { openSqliteDecisions } = await import('./sqlite/open-sqlite.js');
  return openSqliteDecisions(place.file);
}
