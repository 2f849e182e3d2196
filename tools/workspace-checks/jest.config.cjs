module.exports = { preset: '../../jest.preset.js', displayName: 'workspace-checks', testTimeout: 60_000 };
