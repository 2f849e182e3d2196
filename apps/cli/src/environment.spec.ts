import { readEnvironment, type System } from './environment.js';

const system = (env: Record<string, string>, over: Partial<System> = {}): System => ({
  env,
  homedir: () => env['HOME'] ?? '/home/ada',
  accountHome: () => '/home/ada',
  ...over,
});

describe('the environment', () => {
  it('keeps our files in the home folder, or where WRONGSTACK_HOME says', () => {
    expect(readEnvironment(system({ HOME: '/home/eve' }))).toMatchObject({
      home: '/home/eve',
      agentHome: '/home/eve/.wrongstack',
    });
    expect(readEnvironment(system({ WRONGSTACK_HOME: '/data/w' })).agentHome).toBe('/data/w');
  });

  it.each(['', '.', 'home', '~'])('never takes the working folder for a home: HOME=%j', (HOME) => {
    const { home, agentHome, all } = readEnvironment(system({ HOME }));
    expect(home).toBe('/home/ada');
    expect(agentHome).toBe('/home/ada/.wrongstack');
    expect(all['HOME']).toBe('/home/ada');
  });

  it('refuses a WRONGSTACK_HOME that depends on the working folder; an empty one is none', () => {
    expect(readEnvironment(system({ WRONGSTACK_HOME: '' })).agentHome).toBe('/home/ada/.wrongstack');
    expect(() => readEnvironment(system({ WRONGSTACK_HOME: './w' }))).toThrow(
      expect.objectContaining({ code: 'environment.relative_home' }),
    );
  });

  it('says so when nobody knows a home', () => {
    const unknown = () => {
      throw new Error('no such account');
    };
    expect(() => readEnvironment(system({ HOME: '' }, { accountHome: unknown }))).toThrow(
      expect.objectContaining({ code: 'environment.no_home', hint: 'set HOME to an absolute path' }),
    );
  });
});
