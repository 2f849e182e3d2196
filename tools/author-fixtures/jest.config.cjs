module.exports = { preset: '../../jest.preset.js', displayName: 'author-fixtures', testTimeout: 60_000 };
