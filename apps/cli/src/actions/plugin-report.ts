import type { PluginReport } from '@wrongstack/plugins';
import type { Host } from '../app/host.js';
import type { DiagLine } from '../terminal/report-lines.js';

/** For `diag`: one line about all of them. */
export async function checkPlugins({ extensions }: Host): Promise<Omit<DiagLine, 'subject'>> {
  const reports = extensions.plugins?.list() ?? [];
  if (reports.length === 0) return { level: 'ok', text: 'none' };
  const health = (await extensions.plugins?.health()) ?? [];
  const troubles = [
    ...reports.flatMap(({ error }) => (error === null ? [] : [error.message])),
    ...health.flatMap(({ name, ok, message }) =>
      ok ? [] : [`${name} is unwell: ${message ?? 'it does not say why'}`],
    ),
    ...reports.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault.message}`)),
  ];
  const loaded = reports.filter(({ state }) => state === 'loaded').map(({ name }) => name);
  if (troubles.length === 0) return { level: 'ok', text: `${loaded.join(', ')} loaded` };
  return { level: 'warn', text: troubles.join(' · '), next: 'wstack plugin list' };
}

/** `/diag plugins`: health, faults, and who sits in which pipeline. */
export async function pluginDetails({ extensions, kernel }: Host): Promise<string> {
  const runtime = extensions.plugins;
  if (runtime === null) return 'no plugins';
  const health = new Map((await runtime.health()).map((one) => [one.name, one]));
  const rows = runtime.list().flatMap((one) => {
    const { ok = false, message } = health.get(one.name) ?? {};
    const well =
      one.state === 'loaded'
        ? ` · ${ok ? 'well' : 'unwell'}${message === undefined ? '' : `: ${message}`}`
        : '';
    return [`${one.name} ${one.state}${well}`, ...troublesOf(one).map((text) => `  ${text}`)];
  });
  const middleware = kernel.pipelines
    .all()
    .flatMap((pipeline) => pipeline.list().map(({ name, owner }) => `${pipeline.name}: ${name} of ${owner}`));
  return [...rows, ...middleware].join('\n');
}

/** `/plugins`, and `/plugins reload`. */
export async function pluginsText(host: Host, wanted: string | undefined): Promise<string> {
  const runtime = host.extensions.plugins;
  if (wanted === 'reload') {
    if (runtime !== null) await runtime.reload();
    else await (await import('../extensions/load-plugin-runtime.js')).loadPluginRuntime(host);
  }
  const reports = host.extensions.plugins?.list() ?? [];
  if (reports.length === 0) return 'no plugins';
  return reports
    .flatMap((one) => [
      `${one.name}  ${one.state}  ${one.used.join(' ')}`,
      ...troublesOf(one).map((text) => `  ${text}`),
    ])
    .join('\n');
}

export function troublesOf({ error, faults, earlier }: PluginReport): readonly string[] {
  const times = (count: number): string => (count > 1 ? ` (${String(count)} times)` : '');
  return [
    ...(error === null ? [] : [`${error.code}: ${error.message}`]),
    ...faults.map((fault) => `${fault.code}: ${fault.message}${times(fault.times)}`),
    ...earlier.map(
      (fault) => `${fault.code}: ${fault.message}${times(fault.times)}, last at ${fault.lastAt}`,
    ),
  ];
}
