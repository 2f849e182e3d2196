// Every module in tools/bench/in-process/ named *.bench.ts or *.bench.mjs exports `name` and `run(iterations)`, which may
// be asynchronous. A module with a `baseline` ({ name, run }) is measured against it, taken in turns, and may set
// `limitRatio`; `clock = 'wall'` where children do the work; `measured = 'returned'` where `run` gives its own milliseconds; `warmUp`: iterations of
// both that come first, where fewer leave much to be compiled while it is measured. Libraries are taken from source.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { buildBenches } from './build-benches.mjs';

const folder = path.join(import.meta.dirname, 'in-process');
export async function measureInProcess({ rounds }) {
  const files = readdirSync(folder).filter((file) => /\.bench\.(ts|mjs)$/.test(file));
  if (files.length === 0) return [];
  const modules = await buildBenches(files.sort().map((file) => `in-process/${file}`));
  const results = [];
  for (const module of modules) results.push(await measure(module, rounds));
  return results;
}

async function measure(
  { name, run, baseline, limitRatio, clock = 'cpu', measured = 'spent', warmUp = 0 },
  rounds,
) {
  const spentOn = measured === 'returned' ? returned : clock === 'wall' ? wallMilliseconds : cpuMilliseconds;
  for (const one of warmUp === 0 ? [] : [run, baseline.run]) await one(warmUp);
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
    ok: limitRatio === undefined || ratio <= limitRatio,
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
