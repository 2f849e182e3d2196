// `node tools/bundle.mjs <app>`: makes apps/<app>/dist/bundle.cjs out of what tsc wrote (esbuild itself emits no
// decorator metadata), and for an app with a launcher also that, with its frozen answers and a primed code cache. What most
// commands never need may lie in a second file (see split-bundle.mjs).
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { routeImports } from './route-imports.mjs';
import { askLater, divide, LATER_BANNER, LATER_FOOTER, laterEntry, takeShared } from './split-bundle.mjs';

const root = path.resolve(import.meta.dirname, '..');
/**
 * `primeWith`: the runs whose code is worth having compiled beforehand; each one must need no terminal, network or
 * settings. `later`: what the second file is for; modules of `laterOnly` in the first one fail the build. `programs`: further
 * ones beside main, each a file of its own.
 */
const APPS = {
  cli: {
    launcher: true,
    primeWith: [['tool', 'list'], ['demo'], ['plugin', 'list'], ['mcp', 'list']],
    later:
      /^apps\/cli\/dist\/(?:acp\/|telemetry\/|extensions\/load-(?:mcp|plugin)|actions\/(?:acp|mcp-|plugin-(?!report))|interactive\/plugin-)/,
    laterOnly:
      /^libs\/(?:plugins|mcp)\/|node_modules\/(?:@modelcontextprotocol|@agentclientprotocol|@opentelemetry|prom-client|zod)\//,
  },
  api: { launcher: false, primeWith: [], programs: { 'worker.main.js': 'worker.cjs' } },
};
const app = process.argv[2];
if (!Object.hasOwn(APPS, app ?? '')) {
  throw new Error(`bundle: unknown app "${app}": name one of ${Object.keys(APPS).join(', ')}.`);
}
const { launcher, primeWith, later, laterOnly, programs = {} } = APPS[app];
const dist = path.join(root, 'apps', app, 'dist');
const bundle = path.join(dist, 'bundle.cjs');
const laterBundle = path.join(dist, 'extensions.cjs');

// Packages that Nest asks for inside a try block and that are not installed.
const absentPeers = [
  '@nestjs/microservices',
  '@nestjs/microservices/*',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  '@nestjs/platform-express',
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  'class-transformer',
  'class-transformer/*',
  'class-validator',
];

// Both of Nest's loggers build an Intl.DateTimeFormat while they are imported, 15 to 25 ms that most runs never need.
const lazyDateFormat = {
  name: 'lazy-date-format',
  setup({ onLoad }) {
    onLoad({ filter: /(?:console-)?logger\.service\.js$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replace(
        /const dateTimeFormatter = (new Intl\.DateTimeFormat\([\s\S]*?\}\));/,
        'let lazyFormat; const dateTimeFormatter = { format: (date) => (lazyFormat ??= $1).format(date) };',
      ),
      loader: 'js',
    }));
  },
};

// A library that loads a package only when it needs it, and at once, says `const require = createRequire(…)`. Without that
// line esbuild sees a require() of its own and takes the package into the bundle, still loaded only when it is needed.
const bundledRequire = {
  name: 'bundled-require',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]libs[\\/][^\\/]+[\\/]dist[\\/].*\.js$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replace(
        /^const require = createRequire\(import\.meta\.url\);$/m,
        '',
      ),
      loader: 'js',
    }));
  },
};

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  charset: 'ascii',
  minify: true,
};

function node(args, options = {}) {
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', ...options });
}

function answer(flag) {
  const { status, stdout, stderr } = node([bundle, flag]);
  if (status !== 0) throw new Error(`bundle: ${app} ${flag} ended with ${status}: ${stderr}`);
  return JSON.stringify(stdout);
}

const URL_BANNER = 'const __bundleUrl=require("node:url").pathToFileURL(__filename).href;';
const PART_BANNER = 'const __loadPart=module.loadPart??((name)=>require("./"+name));';

async function bundleTo(file, options) {
  const { metafile } = await build({
    ...shared,
    outfile: file,
    absWorkingDir: root,
    // Class names are how Nest names a provider and how an error names itself.
    keepNames: true,
    legalComments: 'none',
    mainFields: ['module', 'main'],
    define: { 'import.meta.url': '__bundleUrl' },
    external: absentPeers,
    metafile: true,
    logLevel: 'warning',
    ...options,
    plugins: [...(options.plugins ?? []), lazyDateFormat, bundledRequire],
  });
  if (options.write === false) return metafile;
  writeFileSync(file, routeImports(readFileSync(file, 'utf8')));
  for (const [name, { bytes }] of Object.entries(metafile.outputs)) {
    process.stdout.write(`${name} ${Math.ceil(bytes / 1024)} KiB\n`);
  }
  return metafile;
}

/** Returns the files that make the program. */
async function writeBundles() {
  const main = path.join(dist, 'main.js');
  if (later === undefined) {
    await bundleTo(bundle, { entryPoints: [main], banner: { js: URL_BANNER } });
    return [bundle];
  }
  const entry = `apps/${app}/dist/main.js`;
  const whole = await bundleTo(bundle, { entryPoints: [main], write: false });
  const parts = divide(whole, entry, (file) => later.test(file));
  const first = await bundleTo(bundle, {
    entryPoints: [main],
    banner: { js: URL_BANNER + PART_BANNER },
    plugins: [askLater(parts, root, path.basename(laterBundle))],
  });
  // A stub bears the name of what it stands for.
  const stray = Object.keys(first.inputs).find(
    (file) => laterOnly.test(file) && !parts.entries.includes(file),
  );
  if (stray !== undefined)
    throw new Error(`bundle: ${stray} is in the first file: something imports it that is always loaded.`);
  await bundleTo(laterBundle, {
    stdin: { contents: laterEntry(parts), resolveDir: root, sourcefile: 'later.cjs' },
    banner: { js: URL_BANNER + LATER_BANNER },
    footer: { js: LATER_FOOTER },
    plugins: [takeShared(parts, root)],
  });
  return [bundle, laterBundle];
}

async function writeLauncher(hash) {
  const file = path.join(dist, 'launcher.cjs');
  await build({
    ...shared,
    entryPoints: [path.join(root, 'tools/launcher.cjs')],
    outfile: file,
    define: { __VERSION__: answer('--version'), __HELP__: answer('--help'), __HASH__: JSON.stringify(hash) },
    logLevel: 'warning',
  });
  chmodSync(file, 0o755);
}

function primeCodeCache(hash) {
  for (const file of readdirSync(dist)) if (file.endsWith('.cache')) rmSync(path.join(dist, file));
  const tag = `${hash}.${process.version}-${process.arch}`;
  // An empty home and an empty folder: a build must neither read nor touch what belongs to whoever runs it.
  const home = mkdtempSync(path.join(tmpdir(), 'wrongstack-build-'));
  try {
    for (const args of primeWith) {
      const run = node([path.join(root, 'tools/prime-code-cache.cjs'), bundle, tag, ...args], {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 60_000,
      });
      if (run.status !== 0)
        process.stdout.write(`code cache: "${args.join(' ')}" ended with ${run.status}\n`);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const files = await writeBundles();
for (const [entry, name] of Object.entries(programs)) {
  await bundleTo(path.join(dist, name), {
    entryPoints: [path.join(dist, entry)],
    banner: { js: URL_BANNER },
  });
}
if (launcher) {
  const digest = createHash('sha256');
  for (const file of files) digest.update(readFileSync(file));
  const hash = digest.digest('hex').slice(0, 12);
  await writeLauncher(hash);
  primeCodeCache(hash);
}
