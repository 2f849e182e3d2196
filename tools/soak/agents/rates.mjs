// What a client does when nothing special happens, as libs/adapters/src/control/policy-refresher.ts and apps/cli/src/app/centre.ts have it:
// a long poll, a heartbeat at its end, then what waits in the spool.
export const WAIT_SECONDS = 55;
export const RECORDS_A_BATCH = 5;
/** A service token may send 3,000 requests a minute, as in production. */
export const AGENTS_OF_ONE_OWNER = 500;
