import type { FactFileSystem } from '../facts/fact-file-system.js';

/**
 * What a disk said about each path, asked once: the paths of one call share most of their folders. For looks that are meant to be of
 * one moment only; whoever wants to know anew takes another.
 */
export function rememberingDisk(disk: FactFileSystem): FactFileSystem {
  return {
    ...disk,
    platform: disk.platform,
    lstat: remembered((path) => disk.lstat(path)),
    readlink: remembered((path) => disk.readlink(path)),
    realpath: remembered((path) => disk.realpath(path)),
  };
}

function remembered<Found>(look: (path: string) => Promise<Found>): (path: string) => Promise<Found> {
  const found = new Map<string, Promise<Found>>();
  return (path) => {
    const known = found.get(path);
    if (known !== undefined) return known;
    const looking = look(path);
    found.set(path, looking);
    return looking;
  };
}
