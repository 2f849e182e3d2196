// Every module in tools/bench/in-process/ named *.bench.ts or *.bench.mjs exports `name` and `run(iterations)`, which may
// be asynchronous. A module with a `baseline` ({ name, run }) is measured against it, taken in turns, and may set
// `limitRatio`; `clock = 'wall'` where children do the work; `measured = 'returned'` where `run` gives its own milliseconds. Libraries are taken from source.
import { build } from 'esbuild';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(import.meta.dirname, 'in-process');
// Inside node_modules, so that what the bundle leaves outside resolves as ever.
const work = path.join(root, 'node_modules/.cache/wrongstack-bench');

export async function measureInProcess({ rounds }) {
  const files = readdirSync(folder).filter((file) => /\.bench\.(ts|mjs)$/.test(file));
  if (files.length === 0) return [];
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  await build({
    entryPoints: files.map((file) => path.join(folder, file)),
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
  const results = [];
  for (const file of files.sort()) {
    const module = await import(pathToFileURL(path.join(work, file.replace(/\.(ts|mjs)$/, '.mjs'))).href);
    results.push(await measure(module, rounds));
  }
  return results;
}

// Our own libraries are bundled from source; everything from npm stays a package.
const packagesOutside = {
  name: 'packages-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) =>
      kind === 'entry-point' || name.startsWith('@wrongstack/') ? undefined : { path: name, external: true },
    );
  },
};

async function measure({ name, run, baseline, limitRatio, clock = 'cpu', measured = 'spent' }, rounds) {
  const spentOn = measured === 'returned' ? returned : clock === 'wall' ? wallMilliseconds : cpuMilliseconds;
  let iterations = 1;
  let spent = 0;
  // Grow until one round takes long enough to be read off the clock; that warms it up as well.
  while (spent < 50) {
    iterations *= 2;
    spent = await spentOn(run, iterations);
  }
  const samples = [];
  const ratios = [];
  if (baseline !== undefined) await baseline.run(iterations);
  for (let round = 0; round < rounds; round++) {
    const ours = await spentOn(run, iterations);
    samples.push((ours * 1000) / iterations);
    if (baseline !== undefined) ratios.push(ours / (await spentOn(baseline.run, iterations)));
  }
  const ratio = baseline === undefined ? null : median(ratios);
  return {
    name,
    microseconds: median(samples),
    baseline: baseline?.name ?? null,
    ratio,
    limit: limitRatio ?? null,
  };
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

// What the module has measured itself, in milliseconds.
function returned(run, iterations) {
  return run(iterations);
}

async function wallMilliseconds(run, iterations) {
  const before = performance.now();
  await run(iterations);
  return performance.now() - before;
}

async function cpuMilliseconds(run, iterations) {
  const before = process.cpuUsage();
  await run(iterations);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
