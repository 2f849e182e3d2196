import { defaultCredentials } from '@wrongstack/providers';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { readSecret } from './read-secret.js';
import { withHost } from './with-host.js';

export function authSet([given = '']: readonly string[], options: CommonOptions): Promise<number> {
  const name = credentialOf(given);
  return withHost(options, async ({ vault }, output) => {
    await vault.set(name, await readSecret(`value of ${name} (not shown): `));
    if (output.json) output.writeJson({ name, stored: true });
    else output.say(`stored ${name}`);
    return EXIT.done;
  });
}

/** A provider's type stands for the credential that it asks for: `anthropic` is `ANTHROPIC_API_KEY`. */
export function credentialOf(given: string): string {
  return Object.hasOwn(defaultCredentials, given) ? (defaultCredentials[given] ?? given) : given;
}
