export { RESERVE_BYTES } from './audit/disk-reserve.js';
export { JsonlAuditLog, type JsonlAuditLogOptions } from './audit/jsonl-audit-log.js';
export type { AuditRecord } from './audit/audit-record.js';
export {
  verifyAudit,
  type AuditProblem,
  type AuditProblemKind,
  type AuditReport,
} from './audit/verify-audit.js';
export { StoredCredentials, type StoredCredentialsOptions } from './credentials/stored-credentials.js';
export { FileLock, isLocked, type LockAttempt, type LockHolder } from './files/file-lock.js';
export { ensureAgentHome, homeFolders, type HomeFolders, type HomeSource } from './files/home-folders.js';
export { ensurePrivateFolder, isExposed, writePrivateFile } from './files/private-files.js';
export { asksForOtlp } from './metrics/asks-for-otlp.js';
export { isReported } from './metrics/metric-definitions.js';
export { PrometheusMetricsSink } from './metrics/prometheus-metrics-sink.js';
export { JsonlSessionLog } from './jsonl/jsonl-session-log.js';
export {
  JsonlSessionStore,
  SESSION_FORMAT_VERSION,
  type JsonlSessionStoreOptions,
} from './jsonl/jsonl-session-store.js';
export { LocalRateLimiter } from './limits/local-rate-limiter.js';
export { createJsonLogger, type JsonLoggerOptions } from './logging/json-logger.js';
export { LocalRunQueue } from './runs-local/local-run-queue.js';
export { BubblewrapSandbox, type BubblewrapSandboxOptions } from './sandbox/bubblewrap-sandbox.js';
export { PatternSecretScrubber } from './secrets/pattern-secret-scrubber.js';
export { kindOfName, type NameKind } from './secrets/secret-names.js';
export { LocalTaskQueue, type LocalTaskQueueOptions } from './tasks-local/local-task-queue.js';
export type { Retention } from './tasks-local/prune-tasks.js';
export { FileSecretVault, type FileSecretVaultOptions } from './vault/file-secret-vault.js';
