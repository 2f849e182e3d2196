import type { HomeSource } from '@wrongstack/adapters';
import { readEnvironment } from './environment.js';

const system = (env: Record<string, string>, over: Partial<HomeSource> = {}): HomeSource => ({
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
});
