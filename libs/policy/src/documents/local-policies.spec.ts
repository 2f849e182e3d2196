import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalPolicies } from './local-policies.js';
import { nodePolicyFiles } from './policy-files.js';

const text = (id: string, tier: string) => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: ${id}, revision: 1, scope: { tier: ${tier} } }
rules: [{ id: r, effect: confirm, actions: [fs.write], because: careful }]
`;

describe('policies of this machine', () => {
  let root: string;
  let home: string;
  let project: string;
  let managed: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'policies-'));
    [home, project, managed] = ['home', 'project', 'etc'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(join(home, 'policy.d'), { recursive: true });
    await mkdir(join(project, '.wrongstack'), { recursive: true });
    await mkdir(managed);
  });
  afterEach(() => rm(root, { recursive: true }));
  /** Below the home: a link that leads nowhere, or to itself, instead of a folder. */
  const linkedFolder = async (place: string, target: 'nowhere' | 'self') => {
    const folder = join(home, place);
    await rm(folder, { recursive: true });
    await symlink(target === 'self' ? folder : join(root, target), folder);
  };
  const policies = () => new LocalPolicies({ agentHome: home, managedFolder: managed });
  const ids = async (loader = policies()) =>
    (await loader.load(project)).documents.map(({ metadata }) => metadata.id);

  it('are none where no file is', async () => {
    expect(await policies().load(project)).toEqual({ documents: [], failure: null });
    expect(await policies().load(join(root, 'elsewhere'))).toEqual({ documents: [], failure: null });
  });

  it('come from the administrator, the person and the project', async () => {
    await writeFile(join(managed, 'policy.yaml'), text('org', 'org'));
    await writeFile(join(managed, 'policy-defaults.yml'), text('defaults', 'orgDefault'));
    await writeFile(join(managed, 'managed.json'), '{}');
    await writeFile(join(home, 'policy.yaml'), text('mine', 'user'));
    await writeFile(join(home, 'policy.d/10-more.yaml'), text('more', 'user'));
    await writeFile(join(home, 'policy.d/README'), 'no policy');
    await symlink('somebody@host.1', join(home, 'policy.d/.#10-more.yaml'));
    await writeFile(join(project, '.wrongstack/policy.yaml'), text('repo', 'project'));
    expect(await ids()).toEqual(['defaults', 'org', 'mine', 'more', 'repo']);
  });

  it.each(['by path', 'by link'])(
    'are not read twice where the project is the home folder, %s',
    async (how) => {
      await rm(join(project, '.wrongstack'), { recursive: true });
      if (how === 'by link') await symlink(home, join(project, '.wrongstack'));
      const agentHome = how === 'by link' ? home : join(project, '.wrongstack');
      await mkdir(agentHome, { recursive: true });
      await writeFile(join(agentHome, 'policy.yaml'), text('mine', 'user'));
      const loader = new LocalPolicies({ agentHome, managedFolder: null });
      expect(await loader.load(project)).toMatchObject({
        documents: [{ metadata: { id: 'mine' } }],
        failure: null,
      });
    },
  );

  it('count for the next call once they change, and are the same object until then', async () => {
    const loader = policies();
    const file = join(home, 'policy.yaml');
    await writeFile(file, text('mine', 'user'));
    const first = await loader.load(project);
    expect(await loader.load(project)).toBe(first);
    await writeFile(file, text('changed', 'user'));
    expect(await ids(loader)).toEqual(['changed']);
    await rm(file);
    expect(await loader.load(project)).toEqual({ documents: [], failure: null });
  });

  it('count at once, however quickly one change follows another', async () => {
    const loader = policies();
    const file = join(home, 'policy.yaml');
    for (let turn = 0; turn < 30; turn += 1) {
      const id = turn % 2 === 0 ? 'even' : 'odds';
      await writeFile(file, text(id, 'user'));
      const more = join(home, `policy.d/${turn}.yaml`);
      expect(await ids(loader)).toEqual([id]);
      await writeFile(more, text('more', 'user'));
      expect(await ids(loader)).toEqual([id, 'more']);
      await rm(more);
    }
  });

  it.each([
    ['invalid YAML', () => writeFile(join(home, 'policy.yaml'), 'rules: ['), 'policy.yaml'],
    ['an empty file', () => writeFile(join(home, 'policy.yaml'), ''), 'policy.yaml'],
    [
      'bytes that are no text',
      () => writeFile(join(home, 'policy.yaml'), Buffer.from([0xff, 0xfe])),
      'policy.yaml',
    ],
    ['a folder where a file is meant', () => mkdir(join(home, 'policy.yaml')), 'policy.yaml'],
    ['a FIFO', async () => execFileSync('mkfifo', [join(home, 'policy.yaml')]), 'policy.yaml'],
    ['a dangling link', () => symlink('nowhere', join(home, 'policy.yaml')), 'policy.yaml'],
    ['a loop of links', () => symlink('policy.yaml', join(home, 'policy.yaml')), 'policy.yaml'],
    [
      'a file where a folder is meant',
      async () => {
        await rm(join(home, 'policy.d'), { recursive: true });
        await writeFile(join(home, 'policy.d'), '');
      },
      'policy.d',
    ],
    ...['policy.d', '.', '../project/.wrongstack', '../etc'].flatMap(
      (place): [string, () => Promise<void>, string][] => [
        [`a folder that is a link that leads nowhere: ${place}`, () => linkedFolder(place, 'nowhere'), ''],
        [`a folder that is a link to itself: ${place}`, () => linkedFolder(place, 'self'), ''],
      ],
    ),
    [
      'a pipe with an ending in capitals',
      async () => execFileSync('mkfifo', [join(home, 'policy.d/x.YAML')]),
      'x.YAML',
    ],
    ['broken managed JSON', () => writeFile(join(managed, 'policy.json'), '{'), 'policy.json'],
    [
      'a person’s file of tier org',
      () => writeFile(join(home, 'policy.yaml'), text('x', 'org')),
      'policy.yaml',
    ],
    [
      'a repository’s file of tier user',
      () => writeFile(join(project, '.wrongstack/policy.yaml'), text('x', 'user')),
      'policy.yaml',
    ],
    [
      'a managed file of tier user',
      () => writeFile(join(managed, 'policy.yaml'), text('x', 'user')),
      'policy.yaml',
    ],
  ])('fail, and are named, for %s', async (_, lay, name) => {
    await lay();
    const { failure } = await policies().load(project);
    expect(failure?.file.endsWith(name)).toBe(true);
    expect(failure?.reason).toEqual(expect.stringMatching(/^.{10,}$/));
  });

  it('are read whatever the case of their names: no restriction hangs on a capital', async () => {
    await writeFile(join(home, 'Policy.yaml'), text('mine', 'user'));
    await writeFile(join(home, 'policy.d/x.YAML'), text('more', 'user'));
    await writeFile(join(project, '.wrongstack/POLICY.YML'), text('repo', 'project'));
    await writeFile(join(managed, 'Policy-a.Json'), '{"rules":[],"rules":[]}');
    expect(await ids()).toEqual(['mine', 'more', 'repo']);
    expect((await policies().load(project)).failure?.file).toBe(join(managed, 'Policy-a.Json'));
  });

  it('name what lies beside them, looks like one and is none', async () => {
    const beside = [
      join(managed, 'rules.yaml'),
      join(managed, 'policy.d'),
      join(home, 'policy.yaml.bak'),
      join(home, 'policies'),
      join(home, 'policy.d/team'),
      join(home, 'policy.d/x.yaml.txt'),
      join(project, '.wrongstack/policy.d'),
      join(project, '.wrongstack/policy-team.yaml'),
    ];
    const folders = /(?:policy\.d|policies|team)$/;
    for (const place of beside) await (folders.test(place) ? mkdir(place) : writeFile(place, ''));
    for (const quiet of [
      'etc/managed.json',
      'home/config.json',
      'home/policy.d/README.md',
      'home/policy.d/.x',
    ])
      await writeFile(join(root, quiet), '{}');
    for (const left of ['home/policy.d/a.yaml~', 'home/policy.d/#a.yaml#'])
      await writeFile(join(root, left), '');
    expect([...(await policies().unread(project))].sort()).toEqual([...beside].sort());
    expect(await policies().load(project)).toEqual({ documents: [], failure: null });
    expect(await policies().unread(join(root, 'elsewhere'))).toHaveLength(6);
  });

  it('fail when they may not be read', async () => {
    await writeFile(join(home, 'policy.yaml'), text('mine', 'user'));
    const denied = () => Promise.reject(Object.assign(new Error('denied'), { code: 'EACCES' }));
    const places = { agentHome: home, managedFolder: null };
    for (const files of [
      { ...nodePolicyFiles, read: denied },
      { ...nodePolicyFiles, list: denied },
      { ...nodePolicyFiles, stamp: denied },
    ]) {
      expect((await new LocalPolicies(places, files).load(project)).failure).not.toBeNull();
    }
  });

  it('recover by themselves when the file is put right', async () => {
    const loader = policies();
    const file = join(home, 'policy.yaml');
    await writeFile(file, 'rules: [');
    expect((await loader.load(project)).failure?.reason).toMatch(/^line \d/);
    await writeFile(file, text('mine', 'user'));
    expect((await loader.load(project)).failure).toBeNull();
  });
});
