import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@wrongstack/contracts';
import {
  createMutationGuard,
  findEntry,
  folderDigest,
  importPlugin,
  loadPlugins,
  PluginError,
  type PluginStatus,
} from '@wrongstack/plugins';
import type { Host } from '../app/host.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { HOST_MODULES } from '../extensions/load-plugin-runtime.js';
import { pluginHost } from '../extensions/plugin-host.js';
import { usageError } from '../report-error.js';
import { withHost } from './with-host.js';

interface CheckResult {
  readonly name: string;
  readonly digest: string | null;
  readonly status: PluginStatus | null;
  readonly problems: readonly string[];
}

/** Load one plugin from a folder, capabilities enforced, beside nothing but the built-in tools. Exit 1 when it fails. */
export function pluginCheck([folder = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async (host, output) => {
    const result = await check(host, path.resolve(host.request.cwd, folder));
    if (output.json) output.writeJson(result);
    else {
      output.say(`${result.name} ${result.digest ?? ''}`);
      if (result.status !== null)
        output.say(
          `declared  ${result.status.declared.join(' ')}\nused      ${result.status.used.join(' ')}`,
        );
      for (const problem of result.problems) output.say(problem);
      if (result.problems.length === 0) output.say('it loads, uses what it declared, and ends');
    }
    return result.problems.length === 0 ? EXIT.done : EXIT.failed;
  });
}

async function check(host: Host, folder: string): Promise<CheckResult> {
  let root: string;
  try {
    root = await realpath(folder);
  } catch (error) {
    throw usageError(`${folder}: ${messageOf(error)}`, 'name the folder of a plugin', error);
  }
  const name = path.basename(root);
  let digest: string | null = null;
  try {
    const entry = findEntry(name, root);
    digest = await folderDigest(name, root);
    const plugin = await importPlugin({ name, place: 'user', root, entry }, { hostModules: HOST_MODULES });
    const { mutation } = (await host.policy.locks(host.request.projectRoot)).plugins;
    host.extensions.useGuard(
      createMutationGuard(
        () => ({ official: false, capabilities: plugin.capabilities }),
        () => mutation,
      ),
    );
    const loaded = await loadPlugins([plugin], { host: pluginHost(host), enforceCapabilities: true });
    const [status = null] = loaded.list();
    const unwell = (await loaded.health()).flatMap(({ ok, message }) =>
      ok ? [] : [`unwell: ${message ?? ''}`],
    );
    await loaded.unloadAll();
    const after = loaded.list()[0];
    return {
      name,
      digest,
      status,
      problems: [
        ...(status?.error === null || status === null
          ? []
          : [`${status.error.code}: ${status.error.message}`]),
        ...unwell,
        ...(after?.faults ?? []).map(({ code, message }) => `${code}: ${message}`),
      ],
    };
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    return { name, digest, status: null, problems: [`${error.code}: ${error.message}`] };
  }
}
