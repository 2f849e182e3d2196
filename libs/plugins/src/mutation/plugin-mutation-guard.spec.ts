import type { RegisteredTool } from '@wrongstack/contracts';
import { createMutationGuard, type MutationRule } from './plugin-mutation-guard.js';

const tool = (capabilities?: readonly string[]): RegisteredTool =>
  ({ name: 'sync', owner: 'core', capabilities }) as RegisteredTool;

function allowed(
  named: readonly string[],
  capabilities: readonly string[] | undefined,
  rule: MutationRule,
  official = false,
): boolean {
  const guard = createMutationGuard(
    () => ({ official, capabilities: { toolMutateCapabilities: named } }),
    () => rule,
  );
  try {
    guard(tool(capabilities), 'outsider', 'wrap');
    return true;
  } catch {
    return false;
  }
}

describe('who may wrap or unregister a tool of others', () => {
  it.each<[string, readonly string[], readonly string[] | undefined, MutationRule, boolean]>([
    ['all capabilities named', ['fs.read', 'net.outbound'], ['fs.read', 'net.outbound'], 'superset', true],
    ['one of two named', ['fs.read'], ['fs.read', 'net.outbound'], 'superset', false],
    [
      'one of two named, where an overlap is enough',
      ['fs.read'],
      ['fs.read', 'net.outbound'],
      'overlap',
      true,
    ],
    ['none named', [], ['fs.read'], 'overlap', false],
    ['a tool without capabilities', ['fs.read'], undefined, 'overlap', false],
    ['a tool with an empty list', ['fs.read'], [], 'superset', false],
    ['policy lets nobody', ['fs.read'], ['fs.read'], 'none', false],
  ])('%s', (_what, named, capabilities, rule, expected) => {
    expect(allowed(named, capabilities, rule)).toBe(expected);
  });

  it('official plugins may, owners may', () => {
    expect(allowed([], undefined, 'none', true)).toBe(true);
    const guard = createMutationGuard(
      () => undefined,
      () => 'none',
    );
    expect(() => guard({ ...tool(), owner: 'mine' }, 'mine', 'unregister')).not.toThrow();
    expect(() => guard(tool(['fs.read']), 'stranger', 'unregister')).toThrow(
      /stranger may not unregister sync/,
    );
  });
});
