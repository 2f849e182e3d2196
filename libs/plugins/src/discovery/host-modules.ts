import Module, { register } from 'node:module';

/** Modules of the host that plugins import by name: loaded when a plugin asks, and the very same objects as the host's. */
export type HostModules = Readonly<Record<string, () => Promise<unknown>>>;

const REGISTRY = Symbol.for('wrongstack.host-modules');
const SCHEME = 'wrongstack-host:';

/** Runs in Node's loader thread, where nothing of the host can be reached: it only writes re-exports by name. */
const HOOKS = `
let names = {};
export async function initialize(given) { names = given; }
export async function resolve(specifier, context, next) {
  if (Object.hasOwn(names, specifier)) return { url: ${JSON.stringify(SCHEME)} + specifier, format: 'module', shortCircuit: true };
  const parent = context.parentURL ?? '';
  const answer = await next(specifier, context);
  const version = /[?&]wrongstack=[0-9a-f]+/.exec(parent)?.[0].slice(1);
  if (version === undefined || !answer.url.startsWith('file:') || answer.url.includes('?')) return answer;
  if (answer.url.includes('/node_modules/')) return answer;
  return { ...answer, url: answer.url + '?' + version };
}
export async function load(url, context, next) {
  if (!url.startsWith(${JSON.stringify(SCHEME)})) return next(url, context);
  const name = url.slice(${SCHEME.length});
  const lines = names[name].map((key) => 'export const ' + key + ' = host[' + JSON.stringify(key) + '];');
  const source = 'const host = globalThis[Symbol.for("wrongstack.host-modules")].get(' + JSON.stringify(name) + ');\\n'
    + lines.join('\\n') + '\\nexport default host.default ?? host;';
  return { format: 'module', source, shortCircuit: true };
}`;

let installed: Promise<void> | undefined;

/**
 * Make `import '@wrongstack/core'` (and `require` of it) in a plugin give the host's own classes, wherever the plugin
 * lies: a copy of its own would have other tokens and other error classes. Costs a loader thread, so it is called only
 * where a plugin's text names one of the modules.
 */
export function provideHostModules(modules: HostModules): Promise<void> {
  installed ??= install(modules);
  return installed;
}

async function install(modules: HostModules): Promise<void> {
  const loaded = new Map<string, object>();
  for (const [name, load] of Object.entries(modules)) loaded.set(name, (await load()) as object);
  (globalThis as Record<symbol, unknown>)[REGISTRY] = loaded;
  const names = Object.fromEntries(
    [...loaded].map(([name, module]) => [
      name,
      Object.keys(module).filter((key) => key !== 'default' && /^[A-Za-z_$][\w$]*$/.test(key)),
    ]),
  );
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: names });
  interceptRequire(loaded);
}

interface RequireInternals {
  _load(request: string, parent: unknown, isMain: boolean): unknown;
}

/** The hooks above do not see require(); Node offers no other seam for it. */
function interceptRequire(loaded: ReadonlyMap<string, object>): void {
  const internals = Module as unknown as RequireInternals;
  const original = internals._load.bind(Module);
  internals._load = (request, parent, isMain) => loaded.get(request) ?? original(request, parent, isMain);
}
