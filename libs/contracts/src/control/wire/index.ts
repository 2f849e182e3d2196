// The wire of the control plane: bodies of its routes as types, and as JSON Schema for validation and OpenAPI.
export * from './approvals.js';
export * from './audit.js';
export * from './bundle.js';
export * from './enrolment.js';
export * from './heartbeat.js';
export * from './policies.js';
export * from './problem.js';
export * from './runs.js';
export * from './usage.js';
export type { Page } from './schema-parts.js';
/** Short words for further schemas of the same kind. */
export * as parts from './schema-parts.js';
