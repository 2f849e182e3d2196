import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SessionId, SessionSummary } from '@wrongstack/contracts';
import { agentPaths } from '../app/agent-paths.js';
import { boot } from '../app/boot.js';
import type { Host } from '../app/host.js';
import { resumedSession } from '../app/open-session.js';
import type { OtherProject } from '../app/other-project.js';
import { lookFor } from '../terminal/testing/fixtures.js';
import { InteractiveSession } from './interactive-session.js';
import { type SessionScreen, slashCommands } from './slash-commands.js';

// The whole application boots for each start.
jest.setTimeout(30_000);

describe('going on with another session', () => {
  let root: string;
  let host: Host;
  let session: InteractiveSession;
  let offered: readonly SessionSummary[] | null;
  let goneOn: number;
  let asked: OtherProject[];
  let answer: boolean;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'wstack-resume-')));
    const home = path.join(root, 'home');
    const project = path.join(root, 'project');
    await mkdir(path.join(project, '.git'), { recursive: true });
    await mkdir(path.join(home, '.wrongstack'), { recursive: true });
    const script = path.join(root, 'script.json');
    await writeFile(script, JSON.stringify({ turns: [{ text: 'one' }, { text: 'two', delayMs: 60_000 }] }));
    await writeFile(
      path.join(home, '.wrongstack/config.json'),
      JSON.stringify({ provider: { type: 'scripted', model: 'm', script } }),
    );
    const environment = {
      home,
      agentHome: path.join(home, '.wrongstack'),
      managedDir: path.join(root, 'managed'),
      variable: (name: string) => (name === 'HOME' ? home : undefined),
      all: { PATH: process.env['PATH'], HOME: home },
    };
    host = await boot({
      environment,
      paths: agentPaths(environment),
      cwd: project,
      projectRoot: project,
      overrides: {},
      session: { mode: 'default', yolo: false, interactive: true },
      debug: false,
    });
    offered = null;
    goneOn = 0;
    asked = [];
    answer = false;
    session = await InteractiveSession.start(host, undefined);
  });

  afterEach(async () => {
    await session.close();
    await host.close();
    await rm(root, { recursive: true, force: true });
  });

  async function type(name: string, ...args: string[]): Promise<string | undefined> {
    const screen: SessionScreen = {
      refresh: () => undefined,
      look: () => lookFor(),
      pickSession: async (sessions) => {
        offered = sessions;
        return sessions[0]?.id ?? null;
      },
      askedHere: async (other) => {
        asked.push(other);
        return answer;
      },
      goOn: async () => void (goneOn += 1),
      quit: () => undefined,
      during: (_what, work) => work(),
    };
    const command = slashCommands(session, screen).find((one) => one.name === name);
    return (await command?.execute({ args, ctx: session.open.agent.context() }))?.message;
  }

  it('offers neither this session nor one in which nothing was said', async () => {
    expect(await type('resume')).toBe('no other session of this project');
    await session.run('hello');
    const worked = session.open.log.id;
    expect(await type('resume')).toBe('no other session of this project');
    await type('clear');
    await type('clear');
    expect(session.open.log.id).not.toBe(worked);
    await type('resume');
    expect(offered?.map(({ id, preview }) => [id, preview])).toEqual([[worked, 'hello']]);
    expect([session.open.log.id, goneOn]).toEqual([worked, 1]);
    expect(session.open.agent.messages).toHaveLength(2);
  });

  it('knows its own id, and keeps this session where the other does not exist', async () => {
    const { id } = session.open.log;
    expect(await type('resume', id)).toBe(`${id} is this session`);
    await expect(type('resume', 's-nothing')).rejects.toMatchObject({ code: 'session.not_found' });
    expect([session.open.log.id, goneOn]).toEqual([id, 0]);
  });

  describe('that belongs to another project', () => {
    let theirs: string;
    let id: SessionId;
    beforeEach(async () => {
      theirs = path.join(root, 'their project');
      const log = await host.sessions.create({ projectRoot: theirs, cwd: theirs, model: 'm' });
      id = log.id;
      await log.append({ type: 'user_input', ts: '2026-11-30T14:00:00.000Z', content: [] });
      await log.close();
    });

    it('is asked about, and stays where it is with the command that goes on there', async () => {
      const { projectRoot: here } = host.request;
      await expect(type('resume', id)).rejects.toMatchObject({
        code: 'session.other_project',
        message: `session ${id} belongs to ${theirs}, and this is ${here}`,
        hint: `cd '${theirs}' && wstack session resume ${id}`,
      });
      expect(asked).toEqual([{ session: id, theirs, here }]);
      expect([session.open.log.id === id, goneOn]).toEqual([false, 0]);
    });

    it('goes on here when the person says so', async () => {
      answer = true;
      await type('resume', id);
      expect([session.open.log.id, goneOn]).toEqual([id, 1]);
    });

    it('is refused where nobody is asked, and is free again afterwards', async () => {
      const refused = { code: 'session.other_project' };
      await expect(resumedSession(host, id)).rejects.toMatchObject(refused);
      await expect(resumedSession(host, id)).rejects.toMatchObject(refused);
    });
  });

  it('waits for the run that is under way', async () => {
    await session.run('hello');
    const running = session.run('more');
    await expect(type('clear')).rejects.toMatchObject({ code: 'session.busy' });
    await expect(type('resume', 's-nothing')).rejects.toMatchObject({ code: 'session.busy' });
    session.interrupt();
    expect((await running).status).toBe('interrupted');
    await type('clear');
    expect(session.worked).toBe(false);
  });

  it('takes the latest session in which something was said for the latest', async () => {
    await session.run('hello');
    const worked = session.open.log.id;
    await type('clear');
    await type('clear');
    const { log, replayed } = await resumedSession(host, true);
    await log.close();
    expect([log.id, replayed?.interrupted]).toEqual([worked, false]);
  });
});
