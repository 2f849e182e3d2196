import type { PluginRuntime, UntrustedPlugin } from '@wrongstack/plugins';
import { troublesOf } from '../actions/plugin-report.js';
import { plural } from '../terminal/format.js';
import { messages } from '../terminal/messages.js';
import type { Prompts } from '../terminal/prompts.js';

const MOST_FILES = 20;

/** Where the question is shown and answered. */
export interface PluginQuestionScreen {
  readonly prompts: Pick<Prompts, 'choose'>;
  printText(text: string): void;
}

/**
 * A fresh clone may bring plugins, and code in it never runs by itself: the person is shown what there is, by name, file
 * and digest, and asked once. The answer counts for exactly this content. Where policy forbids them nobody is asked.
 */
export async function askAboutPlugins(runtime: PluginRuntime, screen: PluginQuestionScreen): Promise<void> {
  const plugins = runtime.untrusted();
  if (plugins.length === 0) return;
  const { pluginTrust } = messages;
  screen.printText(await shown(runtime, plugins));
  const names = plugins.map(({ name }) => name);
  const answer = await screen.prompts.choose(
    pluginTrust.title(names),
    [
      { key: 'y', word: 'yes', text: pluginTrust.yes },
      { key: 'n', word: 'no', text: pluginTrust.no },
    ],
    pluginTrust.later,
  );
  if (answer === null) return;
  await runtime.answer(plugins, answer === 'yes');
  const reports = runtime.list().filter(({ place, name }) => place === 'project' && names.includes(name));
  screen.printText(
    reports.flatMap((one) => [`plugin ${one.name} ${one.state}`, ...indented(troublesOf(one))]).join('\n'),
  );
}

async function shown(runtime: PluginRuntime, plugins: readonly UntrustedPlugin[]): Promise<string> {
  const parts = await Promise.all(
    plugins.map(async (plugin) => {
      const files = await filesOf(runtime, plugin);
      const left = files.length - MOST_FILES;
      return [
        `plugin ${plugin.name} in ${plugin.root}`,
        ...indented([
          plugin.digest,
          ...files.slice(0, MOST_FILES),
          ...(left > 0 ? [`and ${plural(left, 'more file')}`] : []),
        ]),
      ];
    }),
  );
  return parts.flat().join('\n');
}

/** Gone since it was looked at: the digest is what is asked about, and it will not match. */
async function filesOf(runtime: PluginRuntime, plugin: UntrustedPlugin): Promise<readonly string[]> {
  try {
    return await runtime.filesOf(plugin);
  } catch {
    return [];
  }
}

function indented(rows: readonly string[]): readonly string[] {
  return rows.map((row) => `  ${row}`);
}
