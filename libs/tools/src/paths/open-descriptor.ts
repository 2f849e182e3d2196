import { closeSync, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { holdFolder } from './hold-folder.js';
import type { Location } from './locate.js';
import { READ_FLAGS, notFound, notRegular, openError, refuseSpecial } from './open-file.js';

export interface OpenedDescriptor {
  readonly descriptor: number;
  readonly stat: Stats;
}

/** {@link openFile} by synchronous calls, check for check: see {@link holdFolder} for why. The caller closes it. */
export function openDescriptor(location: Location): OpenedDescriptor {
  const { real, display } = location;
  if (!location.exists) throw notFound(display);
  const name = basename(real);
  if (name === '') throw notRegular(display, 'a folder');
  const folder = holdFolder(dirname(real));
  try {
    // Looked at before it is opened: opening a device can already have an effect.
    refuseSpecial(display, lstatSync(folder.at(name)));
    const descriptor = openSync(folder.at(name), READ_FLAGS);
    try {
      const stat = fstatSync(descriptor);
      refuseSpecial(display, stat);
      folder.verify();
      return { descriptor, stat };
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  } catch (error) {
    throw openError(display, error);
  } finally {
    folder.close();
  }
}
