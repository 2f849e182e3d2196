export { openBare, putStatus, serveBare } from './bare.bench-support.js';
export { openGoverned, serveGoverned } from './governed.bench-support.js';
export { openQueueOnly, serveQueueOnly } from './queue-only.bench-support.js';
