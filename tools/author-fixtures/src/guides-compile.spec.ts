import { bin, node } from './run-program.spec-support.js';

describe('the guides’ examples', () => {
  it('compile under strict TypeScript, imports as they are printed', () => {
    expect(node([bin('typescript7/bin/tsc'), '-p', 'tsconfig.guides.json'])).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
  });
});
