const path = require('node:path');

const preset = path.resolve(__dirname, '../../jest.preset.js');

// The end-to-end tests share one API process and one browser, which start once for all of their files.
module.exports = {
  projects: [
    { preset, displayName: 'console', testPathIgnorePatterns: ['\\.e2e\\.spec\\.ts$'] },
    {
      preset,
      displayName: 'console-e2e',
      testMatch: ['<rootDir>/src/e2e/*.e2e.spec.ts'],
      globalSetup: '<rootDir>/tools/start-stack.mjs',
      globalTeardown: '<rootDir>/tools/stop-stack.mjs',
      // Large, and CommonJS already.
      transformIgnorePatterns: ['/node_modules/(?:playwright-core|@axe-core|axe-core)/'],
    },
  ],
};
