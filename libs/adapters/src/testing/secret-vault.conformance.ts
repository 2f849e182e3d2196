import assert from 'node:assert/strict';
import type { SecretVault } from '@wrongstack/contracts';
import type { ConformanceCase } from './conformance-case.js';
import { rejectsWithCode } from './conformance-case.js';

export interface SecretVaultHarness {
  readonly vault: SecretVault;
  /** Another vault over the same secrets, as another process would have it. */
  readonly again: () => SecretVault;
}

export const secretVaultCases: readonly ConformanceCase<SecretVaultHarness>[] = [
  {
    name: 'a new vault is empty and asking makes nothing',
    run: async ({ vault }) => {
      assert.deepEqual(await vault.list(), []);
      assert.equal(await vault.get('A_KEY'), undefined);
      assert.equal(await vault.remove('A_KEY'), false);
    },
  },
  {
    name: 'a value comes back letter by letter, in another process too',
    run: async ({ vault, again }) => {
      for (const value of ['x', ' spaces \n', 'ü👩‍💻\u2028\0', 'k'.repeat(60_000)]) {
        await vault.set('A_KEY', value);
        assert.equal(await again().get('A_KEY'), value);
      }
      assert.deepEqual(
        (await vault.list()).map(({ name }) => name),
        ['A_KEY'],
      );
    },
  },
  {
    name: 'names are listed in order, with the time of the last change and without values',
    run: async ({ vault }) => {
      await vault.set('b.two', 'value-2');
      await vault.set('A-one', 'value-1');
      const listed = await vault.list();
      assert.deepEqual(
        listed.map(({ name }) => name),
        ['A-one', 'b.two'],
      );
      for (const { updatedAt } of listed) assert.ok(!Number.isNaN(Date.parse(updatedAt)));
      assert.ok(!JSON.stringify(listed).includes('value-'));
    },
  },
  {
    name: 'a removed secret is gone, the others stay',
    run: async ({ vault, again }) => {
      await vault.set('ONE', '1');
      await vault.set('TWO', '2');
      assert.equal(await vault.remove('ONE'), true);
      assert.equal(await vault.remove('ONE'), false);
      assert.equal(await again().get('ONE'), undefined);
      assert.equal(await again().get('TWO'), '2');
    },
  },
  {
    name: 'secrets that are set at the same time are all kept',
    run: async ({ vault, again }) => {
      const names = Array.from({ length: 8 }, (_, n) => `KEY_${n}`);
      await Promise.all(names.map((name, n) => (n % 2 === 0 ? vault : again()).set(name, `value-${n}`)));
      assert.deepEqual(
        (await vault.list()).map(({ name }) => name),
        names,
      );
    },
  },
  {
    name: 'names and values that are none are refused',
    run: async ({ vault }) => {
      for (const name of [
        '',
        '.',
        '..',
        '__proto__',
        '-x',
        '1x',
        'a b',
        'a/b',
        'a\n',
        'a'.repeat(200),
        'é',
      ]) {
        await rejectsWithCode(vault.set(name, 'v'), 'vault.bad_name');
        await rejectsWithCode(vault.get(name), 'vault.bad_name');
        await rejectsWithCode(vault.remove(name), 'vault.bad_name');
      }
      for (const value of ['', 'x'.repeat(100_000)])
        await rejectsWithCode(vault.set('A', value), 'vault.bad_value');
      assert.deepEqual(await vault.list(), []);
    },
  },
];
