// `node tools/bundle.mjs <app>`: makes apps/<app>/dist/bundle.cjs out of what tsc wrote (esbuild itself emits no
// decorator metadata), and for an app with a launcher also that, with its frozen answers and a primed code cache.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { routeImports } from './route-imports.mjs';

const root = path.resolve(import.meta.dirname, '..');
/** The runs whose code is worth having compiled beforehand; each one must need no terminal, network or settings. */
const APPS = {
  cli: { launcher: true, primeWith: [['tool', 'list'], ['demo']] },
  api: { launcher: false, primeWith: [] },
};
const app = process.argv[2];
if (!Object.hasOwn(APPS, app ?? '')) {
  throw new Error(`bundle: unknown app "${app}": name one of ${Object.keys(APPS).join(', ')}.`);
}
const { launcher, primeWith } = APPS[app];
const dist = path.join(root, 'apps', app, 'dist');
const bundle = path.join(dist, 'bundle.cjs');

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

async function writeBundle() {
  const { metafile } = await build({
    ...shared,
    entryPoints: [path.join(dist, 'main.js')],
    outfile: bundle,
    absWorkingDir: root,
    plugins: [lazyDateFormat, bundledRequire],
    // Class names are how Nest names a provider and how an error names itself.
    keepNames: true,
    legalComments: 'none',
    mainFields: ['module', 'main'],
    define: { 'import.meta.url': '__bundleUrl' },
    banner: { js: 'const __bundleUrl=require("node:url").pathToFileURL(__filename).href;' },
    external: absentPeers,
    metafile: true,
    logLevel: 'warning',
  });
  writeFileSync(bundle, routeImports(readFileSync(bundle, 'utf8')));
  for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
    process.stdout.write(`${file} ${Math.ceil(bytes / 1024)} KiB\n`);
  }
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
  const cacheFile = path.join(dist, `bundle.${hash}.${process.version}-${process.arch}.cache`);
  // An empty home and an empty folder: a build must neither read nor touch what belongs to whoever runs it.
  const home = mkdtempSync(path.join(tmpdir(), 'wrongstack-build-'));
  try {
    for (const args of primeWith) {
      const run = node([path.join(root, 'tools/prime-code-cache.cjs'), bundle, cacheFile, ...args], {
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

await writeBundle();
if (launcher) {
  const hash = createHash('sha256').update(readFileSync(bundle)).digest('hex').slice(0, 12);
  await writeLauncher(hash);
  primeCodeCache(hash);
}
