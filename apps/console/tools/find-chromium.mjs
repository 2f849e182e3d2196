import { existsSync } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The system's own; null where there is none and that is no failure. */
export function findChromium(env) {
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const given = env.WRONGSTACK_CHROMIUM;
  const places = [
    ...(given === undefined ? [] : [given]),
    ...folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))),
  ];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  const reason = 'chromium is not installed (Debian: apt-get install chromium)';
  if (env.WRONGSTACK_REQUIRE_CHROMIUM === '1' || env.CI === 'true') throw new Error(reason);
  // Jest says nothing of a suite that is skipped whole.
  process.stderr.write(`LEFT OUT: ${reason}, so nothing of the console was tested in a browser\n`);
  return null;
}
