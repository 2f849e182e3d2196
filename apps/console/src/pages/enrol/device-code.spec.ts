import { codeIn } from './device-code.js';

describe('the code of a device', () => {
  it.each([
    ['BCDF-GHJK', 'BCDF-GHJK'],
    [' bcdf ghjk ', 'BCDF-GHJK'],
    ['bcdfghjk', 'BCDF-GHJK'],
    ['BCDF-GHJ', null],
    ['BCDF-GHJK-L', null],
    ['../users', null],
    ['', null],
  ])('%j is %j', (typed, code) => {
    expect(codeIn(typed)).toBe(code);
  });
});
