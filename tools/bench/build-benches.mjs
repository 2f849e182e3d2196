// Modules of this folder in TypeScript, bundled with our own libraries from source; everything from npm stays a package.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '../..');
// Inside node_modules, so that what the bundle leaves outside resolves as ever.
const work = path.join(root, 'node_modules/.cache/wrongstack-bench');

/** @param {readonly string[]} files relative to this folder. Returns their exports. */
export async function buildBenches(files) {
  mkdirSync(work, { recursive: true });
  // The API reads its version from the package beside its folder, as in a build.
  copyFileSync(path.join(root, 'apps/api/package.json'), path.join(work, 'package.json'));
  await build({
    entryPoints: files.map((file) => path.join(import.meta.dirname, file)),
    outbase: import.meta.dirname,
    outdir: work,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    conditions: ['@wrongstack/source'],
    plugins: [packagesOutside],
    logLevel: 'warning',
  });
  return Promise.all(
    files.map((file) => import(pathToFileURL(path.join(work, file.replace(/\.(ts|mjs)$/, '.mjs'))).href)),
  );
}

const packagesOutside = {
  name: 'packages-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) =>
      kind === 'entry-point' || name.startsWith('@wrongstack/') ? undefined : { path: name, external: true },
    );
  },
};
