export { openBare, putStatus } from './bare.bench-support.js';
export { openGoverned } from './governed.bench-support.js';
export { openQueueOnly } from './queue-only.bench-support.js';
