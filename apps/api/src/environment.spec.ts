import { readEnvironment } from './environment.js';

describe('readEnvironment', () => {
  it('listens on loopback, port 3000, unless it is told otherwise', () => {
    expect(readEnvironment({})).toEqual({ host: '127.0.0.1', port: 3000 });
    expect(readEnvironment({ HOST: '', PORT: '' })).toEqual({ host: '127.0.0.1', port: 3000 });
    expect(readEnvironment({ HOST: '0.0.0.0', PORT: '8080' })).toEqual({ host: '0.0.0.0', port: 8080 });
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
});
