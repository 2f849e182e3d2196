import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { agentPaths } from '../app/agent-paths.js';
import { boot } from '../app/boot.js';
import type { Host } from '../app/host.js';
import { askAboutPlugins, type PluginQuestionScreen } from './plugin-question.js';

// The whole application boots for each start.
jest.setTimeout(30_000);

/** A screen that remembers, and a person who answers as told. */
class Screen implements PluginQuestionScreen {
  readonly texts: string[] = [];
  readonly titles: string[] = [];

  constructor(private readonly answer: 'yes' | 'no' | null) {}

  readonly prompts: PluginQuestionScreen['prompts'] = {
    choose: async (title, choices) => {
      this.titles.push(title);
      return choices.find(({ word }) => word === this.answer)?.word ?? null;
    },
  };

  printText(text: string): void {
    this.texts.push(text);
  }
}

describe('the question about a project’s plugins', () => {
  let root: string;
  const hosts: Host[] = [];
  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'wstack-question-')));
    await mkdir(path.join(root, 'project/.git'), { recursive: true });
  });
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.close();
    await rm(root, { recursive: true, force: true });
  });

  const canary = (): string => path.join(root, 'CANARY');
  const plugin = async (name: string, more = ''): Promise<void> => {
    const folder = path.join(root, 'project/.wrongstack/plugins', name);
    await mkdir(folder, { recursive: true });
    const text = `require('node:fs').writeFileSync(${JSON.stringify(canary())}, ''); module.exports = { name: '${name}', setup() {} };`;
    await writeFile(path.join(folder, 'index.cjs'), `${text}${more}`);
    await writeFile(path.join(folder, 'package.json'), '{"main":"index.cjs"}');
  };

  /** One interactive start. What the person is asked, and which plugins run after it. */
  async function startAndAnswer(answer: 'yes' | 'no' | null) {
    const screen = new Screen(answer);
    const home = path.join(root, 'home');
    const environment = {
      home,
      agentHome: path.join(home, '.wrongstack'),
      managedDir: path.join(root, 'managed'),
      variable: (name: string) => (name === 'HOME' ? home : undefined),
      all: { PATH: process.env['PATH'], HOME: home },
    };
    const project = path.join(root, 'project');
    const host = await boot({
      environment,
      paths: agentPaths(environment),
      cwd: project,
      projectRoot: project,
      overrides: {},
      session: { mode: 'default', yolo: false, interactive: true },
      debug: false,
    });
    hosts.push(host);
    const runtime = host.extensions.plugins;
    if (runtime === null) throw new Error('the project has plugins');
    expect(existsSync(canary())).toBe(false);
    await askAboutPlugins(runtime, screen);
    const states = runtime.list().map(({ name, state, error }) => `${name} ${error?.code ?? state}`);
    return { texts: screen.texts, titles: screen.titles, states };
  }

  it('shows name, place, files and digest, and runs none of it before the answer', async () => {
    await plugin('theirs');
    const { texts, titles, states } = await startAndAnswer(null);
    expect(titles).toEqual([expect.stringContaining('1 plugin that would run with your rights: theirs')]);
    expect(texts).toEqual([
      expect.stringMatching(
        /theirs in .*\.wrongstack\/plugins\/theirs\n +sha256:[0-9a-f]{64}\n +index\.cjs\n +package\.json/,
      ),
    ]);
    expect(states).toEqual(['theirs plugin.untrusted']);
    expect(existsSync(canary())).toBe(false);
  });

  it('comes again when it was left open, and not when it was answered with no', async () => {
    await plugin('theirs');
    await startAndAnswer(null);
    expect((await startAndAnswer('no')).states).toEqual(['theirs plugin.declined']);
    const later = await startAndAnswer('yes');
    expect([later.titles, later.states]).toEqual([[], ['theirs plugin.declined']]);
    expect(existsSync(canary())).toBe(false);
  });

  it('answered with no comes again for other content', async () => {
    await plugin('theirs');
    await startAndAnswer('no');
    await plugin('theirs', ' // more');
    expect((await startAndAnswer(null)).titles).toHaveLength(1);
  });

  it('is not asked where policy lets no project bring plugins', async () => {
    await plugin('theirs');
    await mkdir(path.join(root, 'home/.wrongstack'), { recursive: true });
    await writeFile(
      path.join(root, 'home/.wrongstack/policy.yaml'),
      'apiVersion: policy.wrongstack/v1\nkind: CapabilityPolicy\nmetadata: { id: mine, revision: 1, scope: { tier: user, ref: me }, owner: me }\nlocks: { plugins: { project: deny } }\nrules: []\n',
    );
    const { titles, states } = await startAndAnswer('yes');
    expect([titles, states]).toEqual([[], ['theirs plugin.project_denied']]);
    expect(existsSync(canary())).toBe(false);
  });

  it('is one question for all of them', async () => {
    await plugin('theirs');
    await plugin('also');
    const { titles, states } = await startAndAnswer('no');
    expect(titles).toEqual([
      expect.stringContaining('2 plugins that would run with your rights: also, theirs'),
    ]);
    expect(states).toEqual(['also plugin.declined', 'theirs plugin.declined']);
  });
});
