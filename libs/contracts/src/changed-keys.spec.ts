import { changedKeys } from './changed-keys.js';

const masked = (key: string) => key.replaceAll(/s3cret\w*/g, '***');

describe('names of members after a change', () => {
  it('keep their order, and stay as they are where nothing changes', () => {
    expect(changedKeys(['b', 'a s3cret', '1'], masked)).toEqual(['b', 'a ***', '1']);
  });

  it('stay distinct', () => {
    expect(changedKeys(['s3cret1', 's3cret2', 's3cret3'], masked)).toEqual(['***', '*** (2)', '*** (3)']);
  });

  it('do not take the name of another member, wherever it stands', () => {
    expect(changedKeys(['s3cret', '***', '*** (2)'], masked)).toEqual(['*** (3)', '***', '*** (2)']);
  });
});
