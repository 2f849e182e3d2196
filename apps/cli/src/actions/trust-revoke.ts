import { WrongStackError } from '@wrongstack/contracts';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { usageError } from '../report-error.js';
import { withHost } from './with-host.js';

export async function trustRevoke(
  ids: readonly string[],
  options: CommonOptions & { readonly all?: boolean },
): Promise<number> {
  if (ids.length === 0 && options.all !== true)
    throw usageError('say what to revoke', 'ids as listed, or --all');
  return withHost(options, async ({ trust, request }, output) => {
    const store = trust.forProject(request.projectRoot);
    const wanted = options.all === true ? (await store.list()).map(({ id }) => id) : ids;
    const revoked: string[] = [];
    for (const id of wanted) if (await store.revoke(id)) revoked.push(id);
    const unknown = wanted.filter((id) => !revoked.includes(id));
    if (output.json) output.writeJson({ revoked, unknown });
    else if (revoked.length > 0) output.say(`revoked ${revoked.join(', ')}`);
    if (unknown.length > 0) {
      throw new WrongStackError('trust.unknown', `nothing stored under ${unknown.join(', ')}`, {
        hint: 'wstack trust list',
      });
    }
    return EXIT.done;
  });
}
