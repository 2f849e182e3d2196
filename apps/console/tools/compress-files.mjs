import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT = /\.(?:js|css|svg|json)$/;
/** Below it the headers of an answer weigh more than what is won. */
const LEAST_BYTES = 1024;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes `.br` and `.gz` beside each built file, so that the server compresses nothing while it answers. */
export function compressFiles() {
  let folder = '';
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved({ root, build }) {
      folder = path.resolve(root, build.outDir);
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true });
      const files = names.filter((name) => TEXT.test(name) && !name.startsWith('.vite'));
      await Promise.all(files.map((name) => compress(path.join(folder, name))));
    },
  };
}

async function compress(file) {
  const content = await readFile(file);
  if (content.length < LEAST_BYTES) return;
  const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
  await Promise.all([
    brotli(content, options).then((bytes) => writeFile(`${file}.br`, bytes)),
    zip(content, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
  ]);
}
