import { WrongStackError } from '@wrongstack/contracts';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { credentialOf } from './auth-set.js';
import { withHost } from './with-host.js';

export function authRemove([given = '']: readonly string[], options: CommonOptions): Promise<number> {
  const name = credentialOf(given);
  return withHost(options, async ({ vault }, output) => {
    if (!(await vault.remove(name))) {
      throw new WrongStackError('auth.unknown', `no stored credential named ${name}`, {
        hint: 'wstack auth list',
      });
    }
    if (output.json) output.writeJson({ name, removed: true });
    else output.say(`removed ${name}`);
    return EXIT.done;
  });
}
