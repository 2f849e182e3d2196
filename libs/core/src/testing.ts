// For the tests of authors. No test runner is imported here: jest, vitest and node:test all do.
export { createTestContext, type TestContext, type TestContextOptions } from './testing/test-context.js';
export { collectStream, testOptions } from './testing/test-options.js';
export { MockModelAdapter, type MockTurn } from './testing/mock-model-adapter.js';
