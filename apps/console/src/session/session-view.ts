import type { operations } from '../client/schema.js';

/** Who this is and what they may. */
export type SessionView = operations['sessionShow']['responses'][200]['content']['application/json'];

/** How somebody may sign in here. */
export type SignInWays = operations['sessionWaysIn']['responses'][200]['content']['application/json'];
