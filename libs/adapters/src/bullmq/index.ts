// An entrance of its own: whoever needs no Redis loads and bundles none of it.
export { BullRunQueue, type BullRunQueueOptions } from './bull-run-queue.js';
export { BullTaskQueue, type BullTaskQueueOptions } from './bull-task-queue.js';
export type { StoreLimits } from './task-store.js';
export { RedisRateLimiter, type RedisRateLimiterOptions } from './redis-rate-limiter.js';
export { type BoardAnswer, QueueBoard, type QueueBoardOptions } from './queue-board.js';
