// node tools/bundle.mjs <app>: bundles apps/<app>/dist/main.js (tsc output, so decorator metadata is already there).
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';

const app = process.argv[2];
const root = path.resolve(import.meta.dirname, '..');
// Optional peers that Nest/BullMQ/typeorm require lazily inside try/catch.
const external = [
  '@nestjs/microservices',
  '@nestjs/microservices/*',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  '@nestjs/platform-express',
  'class-transformer',
  'class-transformer/*',
  'class-validator',
  '@fastify/view',
  '@fastify/multipart',
  'pg-native',
  'redis',
  'bullmq-otel',
  'msgpackr-extract',
  'file-type',
  'pino-pretty',
  'thread-stream',
  'pino-abstract-transport',
];
// Nest's ConsoleLogger builds an Intl.DateTimeFormat at import (about 25 ms here): make it lazy.
const lazyIntl = {
  name: 'lazy-intl',
  setup(b) {
    b.onLoad({ filter: /console-logger\.service\.js$/ }, async ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replace(
        /const dateTimeFormatter = (new Intl\.DateTimeFormat\([\s\S]*?\}\));/,
        'let dtf; const dateTimeFormatter = { format: (d) => (dtf ??= $1).format(d) };',
      ),
      loader: 'js',
    }));
  },
};
const result = await build({
  plugins: [lazyIntl],
  entryPoints: [path.join(root, 'apps', app, 'dist/main.js')],
  outfile: path.join(root, 'apps', app, 'dist/bundle.cjs'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  keepNames: true,
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  mainFields: ['module', 'main'],
  define: { 'import.meta.url': '__bundle_url' },
  banner: { js: 'const __bundle_url=require("node:url").pathToFileURL(__filename).href;' },
  external,
  metafile: true,
  logLevel: 'warning',
});
const [out] = Object.entries(result.metafile.outputs);
console.log(`${out[0]} ${(out[1].bytes / 1024).toFixed(0)} KiB`);

if (app === 'cli') {
  // Freeze --version/--help and prime the V8 code cache at build time.
  const dist = path.join(root, 'apps/cli/dist');
  const run = (...args) => execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const bundle = path.join(dist, 'bundle.cjs');
  await build({
    entryPoints: [path.join(root, 'tools/launcher.cjs')],
    outfile: path.join(dist, 'launcher.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    define: {
      __VERSION__: JSON.stringify(run(bundle, '--version').trim()),
      __HELP__: JSON.stringify(run(bundle, '--help')),
      __HASH__: JSON.stringify(createHash('sha256').update(readFileSync(bundle)).digest('hex').slice(0, 12)),
    },
  });
  chmodSync(path.join(dist, 'launcher.cjs'), 0o755);
  run(path.join(dist, 'launcher.cjs'));
}
