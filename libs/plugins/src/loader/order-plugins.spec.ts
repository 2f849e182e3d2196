import type { PluginManifest } from '@wrongstack/contracts';
import { orderPlugins } from './order-plugins.js';

function order(...plugins: readonly PluginManifest[]): {
  readonly names: readonly string[];
  readonly faults: readonly string[];
} {
  const { ordered, rejected } = orderPlugins(plugins);
  return {
    names: ordered.map(({ name }) => name),
    faults: rejected.map(({ error }) => `${error.code}: ${error.message}`),
  };
}

describe('orderPlugins', () => {
  it('puts dependencies first and keeps the given order otherwise', () => {
    expect(
      order({ name: 'c', dependsOn: ['b'] }, { name: 'x' }, { name: 'b', dependsOn: ['a'] }, { name: 'a' })
        .names,
    ).toEqual(['a', 'b', 'c', 'x']);
  });

  it('names a cycle, rejects everybody on it, and loads the rest', () => {
    const { names, faults } = order(
      { name: 'a', dependsOn: ['b'] },
      { name: 'b', dependsOn: ['a'] },
      { name: 'free' },
      { name: 'needs-a', dependsOn: ['a'] },
    );
    expect(names).toEqual(['free']);
    expect(faults).toEqual([
      'plugin.cycle: plugin a: dependencies form a cycle: a -> b -> a',
      'plugin.cycle: plugin b: dependencies form a cycle: a -> b -> a',
      'plugin.dependency_failed: plugin needs-a: needs a, which did not load',
    ]);
  });

  it('rejects a plugin that depends on itself', () => {
    expect(order({ name: 'a', dependsOn: ['a'] }).faults).toEqual([
      'plugin.cycle: plugin a: dependencies form a cycle: a -> a',
    ]);
  });

  it('checks the versions of structured dependencies', () => {
    const dependent = (range: string): PluginManifest => ({
      name: 'b',
      dependsOn: [{ name: 'a', version: range }],
    });
    expect(order({ name: 'a', version: '1.3.0' }, dependent('^1.2')).names).toEqual(['a', 'b']);
    expect(order({ name: 'a', version: '2.0.0' }, dependent('^1.2')).faults).toEqual([
      'plugin.dependency_version: plugin b: needs a ^1.2, but it is 2.0.0',
    ]);
  });

  it('names what is missing, and skips what is only optional', () => {
    expect(order({ name: 'a', dependsOn: ['ghost'] }).faults).toEqual([
      'plugin.dependency_missing: plugin a: needs ghost, which is not installed',
    ]);
    expect(order({ name: 'a', optionalDeps: [{ name: 'ghost', version: '^1' }] }).names).toEqual(['a']);
    expect(order({ name: 'a', optionalDeps: ['b'] }, { name: 'b' }).names).toEqual(['b', 'a']);
  });

  it('rejects both sides of a stated conflict only where they said so, and the second of two with one name', () => {
    expect(order({ name: 'a', conflictsWith: ['b'] }, { name: 'b' })).toEqual({
      names: ['b'],
      faults: ['plugin.conflict: plugin a: conflicts with b, which is there too'],
    });
    expect(order({ name: 'a' }, { name: 'a' }).faults).toEqual([
      'plugin.duplicate: plugin a: a plugin of this name is already there',
    ]);
  });
});
