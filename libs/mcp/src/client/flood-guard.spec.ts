import { FloodGuard } from './flood-guard.js';

const notification = { jsonrpc: '2.0', method: 'notifications/message' };
const answer = { jsonrpc: '2.0', id: 1, result: {} };

function guarded(): { floods: number; at: number; send: (message: object, times: number) => void } {
  const state = { floods: 0, at: 0, send: (_message: object, _times: number): void => undefined };
  const guard = new FloodGuard(
    () => (state.floods += 1),
    () => state.at,
  );
  state.send = (message, times) => {
    for (let sent = 0; sent < times; sent += 1) guard.message(message);
  };
  return state;
}

describe('a server that talks unasked', () => {
  it('may say a great deal, second after second', () => {
    const server = guarded();
    for (let second = 0; second < 10; second += 1) {
      server.at = second * 1_000;
      server.send(notification, 2_000);
    }
    expect(server.floods).toBe(0);
  });

  it.each([
    ['notifications', notification],
    ['requests', { ...notification, id: 7 }],
  ])('floods with more than that, and is told once: %s', (_what, message) => {
    const server = guarded();
    server.send(message, 2_001);
    expect(server.floods).toBe(1);
    server.send(message, 10_000);
    expect(server.floods).toBe(1);
  });

  it('may answer as often as it was asked', () => {
    const server = guarded();
    server.send(answer, 100_000);
    expect(server.floods).toBe(0);
  });
});
