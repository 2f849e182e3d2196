import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnrolment } from './enrolment.js';
import { FileBundleStore } from './file-bundle-store.js';
import { IdentityFile } from './identity-file.js';

const ROOT_KEY = Buffer.alloc(32, 7).toString('base64url');
const CENTRE = `{"server":"https://a.example","rootKey":"${ROOT_KEY}"}`;

describe('what binds a client to its control plane', () => {
  let root: string;
  let managedFolder: string;
  let folder: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'held-'));
    [managedFolder, folder] = [join(root, 'etc'), join(root, 'control')];
  });
  afterEach(() => rm(root, { recursive: true }));

  const lays: [string, (place: string) => Promise<unknown>][] = [
    ['a link that leads nowhere', (place) => symlink('nowhere', place)],
    ['a link to itself', (place) => symlink(place, place)],
    ['no text', (place) => writeFile(place, Buffer.from([0xff]))],
  ];

  it('is nothing where nothing is', async () => {
    expect(await readEnrolment({ managedFolder, folder })).toBeNull();
    expect(await new IdentityFile(folder).read()).toBeNull();
    expect(await new FileBundleStore(folder, ROOT_KEY).read()).toMatchObject({ held: null, damage: null });
  });

  it.each(lays)('is never forgotten behind %s', async (_what, lay) => {
    await rm(folder, { recursive: true, force: true });
    const store = new FileBundleStore(folder, ROOT_KEY);
    for (const place of [
      managedFolder,
      folder,
      join(managedFolder, 'managed.json'),
      join(folder, 'enrolment.json'),
    ]) {
      await mkdir(join(place, '..'), { recursive: true });
      await lay(place);
      await expect(readEnrolment({ managedFolder, folder })).rejects.toMatchObject({
        code: 'enrolment.unreadable',
        message: expect.stringContaining(root),
      });
      await rm(place);
    }
    for (const place of [folder, join(folder, 'identity.json')]) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(join(place, '..'), { recursive: true });
      await lay(place);
      await expect(new IdentityFile(folder).read()).rejects.toMatchObject({ code: 'identity.unreadable' });
    }
    await rm(folder, { recursive: true });
    for (const place of [store.place, join(store.place, 'bundle.json'), join(store.place, 'floor.json')]) {
      await mkdir(join(place, '..'), { recursive: true });
      await lay(place);
      expect((await store.read()).damage).toMatchObject({ file: expect.stringContaining(store.place) });
      await rm(place);
    }
  });

  it('is not said twice: the second would move it', async () => {
    await mkdir(managedFolder);
    await writeFile(join(managedFolder, 'managed.json'), `{"controlPlane":${CENTRE},\n"controlPlane":null}`);
    await expect(readEnrolment({ managedFolder, folder })).rejects.toMatchObject({
      message: expect.stringMatching(/managed\.json:2 .*the key controlPlane stands twice/),
    });
    await writeFile(join(managedFolder, 'managed.json'), `{"controlPlane":${CENTRE}}`);
    expect(await readEnrolment({ managedFolder, folder })).toMatchObject({ managed: true });
  });
});
