module.exports = { preset: '../../jest.preset.js', displayName: 'example-plugins', testTimeout: 120_000 };
