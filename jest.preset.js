/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@wrongstack/source', 'node', 'node-addons'] },
  resolver: import.meta.dirname + '/jest.resolver.cjs',
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1', '$1.js'] },
  transform: { '^.+\\.(ts|mjs|js)$': import.meta.dirname + '/tools/jest-transform.cjs' },
  transformIgnorePatterns: [],
  coverageProvider: 'v8',
  watchman: false,
};
