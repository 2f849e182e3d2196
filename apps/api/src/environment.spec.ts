import { readEnvironment } from './environment.js';

describe('readEnvironment', () => {
  it('listens on loopback, port 3000, unless it is told otherwise', () => {
    expect(readEnvironment({})).toMatchObject({ host: '127.0.0.1', port: 3000 });
    expect(readEnvironment({ HOST: '', PORT: '' })).toMatchObject({ host: '127.0.0.1', port: 3000 });
    expect(readEnvironment({ HOST: '0.0.0.0', PORT: '8080' })).toMatchObject({ host: '0.0.0.0', port: 8080 });
    expect(readEnvironment({ PORT: '0' }).port).toBe(0);
  });

  it.each(['http', '-1', '65536', '80.5', '0x50', ' 80'])('refuses PORT=%j', (PORT) => {
    expect(() => readEnvironment({ PORT })).toThrow(
      expect.objectContaining({
        code: 'api.port_invalid',
        message: expect.stringContaining(JSON.stringify(PORT)),
      }),
    );
  });

  it('takes Redis from its address, and keeps it and the token from the programs that tools start', () => {
    const env = { REDIS_URL: 'redis://:secret@r:6379', WRONGSTACK_API_TOKEN: 'token', LANG: 'C' };
    const environment = readEnvironment(env);
    expect(environment).toMatchObject({ redisUrl: env.REDIS_URL, apiToken: 'token', tasksDriver: null });
    expect(JSON.stringify(environment.all)).toBe('{"LANG":"C"}');
    expect(readEnvironment({})).toMatchObject({ redisUrl: null, apiToken: null });
  });

  it('keeps what proves the console to an identity provider from the programs that tools start', () => {
    const { control, consoleDir, all } = readEnvironment({
      WRONGSTACK_OIDC_CLIENT_SECRET: 'proof',
      WRONGSTACK_CONSOLE_DIR: '/srv/console',
    });
    expect([control.oidcClientSecret, consoleDir]).toEqual(['proof', '/srv/console']);
    expect(Object.values(all)).not.toContain('proof');
    expect(readEnvironment({}).consoleDir).toBeUndefined();
  });

  it.each([
    [{ REDIS_URL: 'secret@nowhere' }, 'api.redis_url_invalid'],
    [{ TASKS_DRIVER: 'kafka' }, 'api.tasks_driver_invalid'],
    [{ WRONGSTACK_HOME: './secret' }, 'environment.relative_home'],
  ])('refuses %j', (env, code) => {
    expect(() => readEnvironment(env)).toThrow(
      expect.objectContaining({ code, message: expect.not.stringContaining('secret@') }),
    );
  });

  it('keeps its files in a home that is one: the working folder never is', () => {
    expect(readEnvironment({ HOME: '/home/api' })).toMatchObject({
      home: '/home/api',
      agentHome: '/home/api/.wrongstack',
    });
    expect(readEnvironment({ HOME: '/home/api', WRONGSTACK_HOME: '/data/w' }).agentHome).toBe('/data/w');
    for (const HOME of ['', '.', 'home'])
      expect(readEnvironment({ HOME }).agentHome).toMatch(/^\/.+wrongstack$/);
  });

  it('lets runs work in the folders that are named, whole paths and never the root', () => {
    const read = (WRONGSTACK_WORKSPACES: string) =>
      readEnvironment({ HOME: '/home/ada', WRONGSTACK_WORKSPACES });
    expect(readEnvironment({ HOME: '/home/ada' }).runs).toEqual({
      workspaces: [],
      atOnce: 4,
      patienceMs: 30_000,
    });
    expect(read('/srv/a/:/srv/b/../c').runs.workspaces).toEqual(['/srv/a', '/srv/c']);
    for (const folders of ['srv/a', '/srv/a:.', '/', '/srv/..'])
      expect(() => read(folders)).toThrow(expect.objectContaining({ code: 'api.workspaces_invalid' }));
  });

  it('opens the metrics of a worker to a network only behind a token', () => {
    const read = (env: Record<string, string>) => readEnvironment({ HOME: '/home/ada', ...env });
    expect(read({}).metricsPort).toBeNull();
    expect(read({ WRONGSTACK_METRICS_PORT: '9464' })).toMatchObject({
      metricsPort: 9464,
      metricsHost: '127.0.0.1',
    });
    expect(() => read({ WRONGSTACK_METRICS_PORT: 'x' })).toThrow(/WRONGSTACK_METRICS_PORT is "x"/);
    expect(() => read({ WRONGSTACK_METRICS_HOST: '0.0.0.0' })).toThrow(/set WRONGSTACK_SCRAPE_TOKEN as well/);
    const open = read({ WRONGSTACK_METRICS_HOST: '0.0.0.0', WRONGSTACK_SCRAPE_TOKEN: 'secret' });
    expect(open.metricsHost).toBe('0.0.0.0');
    expect(Object.values(open.all)).not.toContain('secret');
  });
});
