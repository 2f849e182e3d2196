import { DisposalScope } from './disposal-scope.js';

describe('DisposalScope', () => {
  it('undoes in reverse order and survives a disposer that throws', () => {
    const undone: number[] = [];
    const errors: unknown[] = [];
    const scope = new DisposalScope((error) => errors.push(error));
    scope.add(() => undone.push(1));
    scope.add(() => {
      throw new Error('broken');
    });
    scope.add(() => undone.push(3));
    scope.dispose();
    scope.dispose();
    expect(undone).toEqual([3, 1]);
    expect(errors).toEqual([new Error('broken')]);
    expect(scope.size).toBe(0);
  });

  it('lets one registration go early, once', () => {
    let undone = 0;
    const scope = new DisposalScope();
    const early = scope.add(() => (undone += 1));
    early();
    early();
    scope.dispose();
    expect(undone).toBe(1);
  });
});
