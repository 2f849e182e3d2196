module.exports = { preset: '../../jest.preset.js', displayName: 'observability', testTimeout: 60_000 };
