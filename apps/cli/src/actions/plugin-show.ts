import { WrongStackError } from '@wrongstack/contracts';
import { nearNames } from '@wrongstack/kernel';
import { folderDigest } from '@wrongstack/plugins';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { padText } from '../terminal/graphemes.js';
import { troublesOf } from './plugin-report.js';
import { withExtensions, withHost } from './with-host.js';

/** One plugin whole, with the digest that a policy would list. */
export function pluginShow([name = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(
    options,
    async ({ extensions, kernel }, output) => {
      const reports = extensions.plugins?.list() ?? [];
      const found = reports.find((one) => one.name === name);
      if (found === undefined) throw unknown(name, reports);
      const digest = found.digest ?? (found.path === null ? null : await digestOrNull(name, found.path));
      const health = (await extensions.plugins?.health())?.find((one) => one.name === name) ?? null;
      const tools = kernel.tools.list().flatMap((tool) => (tool.owner === name ? [tool.name] : []));
      const shown = { ...found, digest, health, tools };
      if (output.json) output.writeJson(shown);
      else {
        const rows: readonly (readonly [string, string])[] = [
          ['name', `${found.name} ${found.version ?? ''}`],
          ['description', found.description ?? ''],
          ['state', found.state],
          ['from', `${found.place ?? ''} ${found.path ?? ''}`],
          ['digest', digest ?? ''],
          ['declared', found.declared.join(' ')],
          ['used', found.used.join(' ')],
          ['tools', tools.join(' ')],
          ['health', health === null ? '' : `${health.ok ? 'well' : 'unwell'} ${health.message ?? ''}`],
          ...troublesOf(found).map((text) => ['wrong', text] as const),
        ];
        for (const [field, text] of rows) if (text.trim() !== '') output.say(`${padText(field, 14)}${text}`);
      }
      return EXIT.done;
    },
    withExtensions,
  );
}

async function digestOrNull(name: string, root: string): Promise<string | null> {
  try {
    return await folderDigest(name, root);
  } catch {
    // Why it cannot be read is in the list of what is wrong.
    return null;
  }
}

function unknown(name: string, reports: readonly { readonly name: string }[]): WrongStackError {
  const near = nearNames(
    name,
    reports.map((one) => one.name),
  );
  return new WrongStackError('plugin.unknown', `no plugin named ${name}`, {
    hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : 'wstack plugin list',
  });
}
