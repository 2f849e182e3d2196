// For the tests of authors. No test runner is imported here: jest, vitest and node:test all do.
export { createTestContext, type TestContext, type TestContextOptions } from './testing/test-context.js';
export { createTestAgent, type InjectedNote, type TestAgent } from './testing/test-agent.js';
export { collectStream, testOptions } from './testing/test-options.js';
export { MockModelAdapter, type MockScript, type MockTurn } from './testing/mock-model-adapter.js';
export { assertPurePresenters, type PresenterSample } from './testing/pure-presenters.js';
export { createTestHost, type LoggedCall, type TestHost, type TestHostOptions } from './testing/test-host.js';
export type { TestAnswer } from './testing/test-ports.js';
