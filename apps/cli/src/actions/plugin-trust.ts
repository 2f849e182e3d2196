import { WrongStackError } from '@wrongstack/contracts';
import { findPlugins, folderDigest, ProjectPluginTrust } from '@wrongstack/plugins';
import type { Host } from '../app/host.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { pluginRules } from '../extensions/plugin-rules.js';
import { withHost } from './with-host.js';

/** Remember the content of a project's plugin as trusted. Runs none of it. */
export function pluginTrust([name = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async (host, output) => {
    const plugin = await projectPlugin(host, name);
    if ((await pluginRules(host)).project === 'deny') {
      throw new WrongStackError(
        'plugin.project_denied',
        'policy lets no project bring plugins of its own, so trusting one would change nothing',
        { hint: 'ask the administrator about locks.plugins.project' },
      );
    }
    const digest = await folderDigest(name, plugin.root);
    await trustOf(host).trust(name, digest);
    if (output.json) output.writeJson({ name, root: plugin.root, digest });
    else output.say(`${name} is trusted as it is now: ${digest}`);
    return EXIT.done;
  });
}

export function pluginDistrust([name = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async (host, output) => {
    if (!(await trustOf(host).forget(name))) {
      throw new WrongStackError('plugin.unknown', `no plugin ${name} of this project is trusted`, {
        hint: 'wstack plugin list',
      });
    }
    if (output.json) output.writeJson({ name, trusted: false });
    else output.say(`${name} is no longer trusted`);
    return EXIT.done;
  });
}

function trustOf({ request, clock }: Host): ProjectPluginTrust {
  return new ProjectPluginTrust(request.paths.agentHome, request.projectRoot, clock);
}

async function projectPlugin({ request, config }: Host, name: string): Promise<{ readonly root: string }> {
  const { found, faulty } = findPlugins({
    agentHome: request.paths.agentHome,
    home: request.environment.home,
    projectRoot: request.projectRoot,
    config: config.current,
  });
  const broken = faulty.find((one) => one.name === name && one.place === 'project');
  if (broken !== undefined) throw broken.error;
  const plugin = found.find((one) => one.name === name && one.place === 'project');
  if (plugin !== undefined) return plugin;
  throw new WrongStackError('plugin.unknown', `this project has no plugin ${name}`, {
    hint: 'they lie in .wrongstack/plugins/<name>; your own need no trust',
  });
}
