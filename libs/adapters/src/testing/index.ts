export { auditLogCases, auditNote, type AuditLogHarness } from './audit-log.conformance.js';
export { collect, rejectsWithCode, type ConformanceCase } from './conformance-case.js';
export { secretVaultCases, type SecretVaultHarness } from './secret-vault.conformance.js';
export { sessionStoreCases, type SessionStoreHarness } from './session-store.conformance.js';
export { done, sampleTask, type SampleTask } from './sample-task.js';
export { taskQueueCases, untilEnded, type TaskQueueHarness } from './task-queue.conformance.js';
export { rateLimiterCases, type RateLimiterHarness } from './rate-limiter.conformance.js';
export { runQueueCases, type RunQueueHarness } from './run-queue.conformance.js';
export { redisMissing, RedisServer } from './redis-server.js';
