import { existsSync } from 'node:fs';
import { openControlStore, openStoreReader } from '@wrongstack/adapters/store';
import { type Clock, type Logger, systemClock, WrongStackError } from '@wrongstack/contracts';
import type { ControlStore } from '@wrongstack/contracts/control';
import { ApprovalWatch } from '../approvals/approval-watch.js';
import { PublicationWatch } from '../bundles/publication-watch.js';
import { PublishedDocuments } from '../decisions/published-documents.js';
import type { ControlPlane } from './control-plane.js';
import { type ControlPlace, OpenedControl, storeFile } from './open-control.js';

/** What a worker knows of the control plane: what is in force, and who is still known. */
export interface WorkerControl {
  readonly control: ControlPlane;
  readonly documents: PublishedDocuments;
  readonly watch: PublicationWatch;
  readonly approvals: ApprovalWatch;
  close(): Promise<void>;
}

/**
 * The store that the API has. A worker that cannot see it would decide by less than what is in force, so it does not start:
 * `worker.no_store`. A SQLite file belongs to the API of this machine, and is read alone.
 */
export async function openWorkerControl(
  place: ControlPlace,
  log: Logger,
  clock: Clock = systemClock,
): Promise<WorkerControl> {
  const store = await openStore(place);
  const watch = new PublicationWatch(store, log);
  const documents = new PublishedDocuments(store, watch);
  watch.start();
  return {
    control: new OpenedControl(store, clock, place.organisation, place.url),
    documents,
    watch,
    approvals: new ApprovalWatch(store, log),
    async close() {
      watch.stop();
      await store.close();
    },
  };
}

async function openStore(place: ControlPlace): Promise<ControlStore> {
  if (place.databaseUrl !== null) return openControlStore({ databaseUrl: place.databaseUrl });
  const file = storeFile(place);
  if (existsSync(file)) return openStoreReader({ file });
  throw new WrongStackError('worker.no_store', `there is no control plane's store at ${file}`, {
    hint: 'set DATABASE_URL as for the API, or WRONGSTACK_HOME to the home of the API of this machine, and start that first',
  });
}
