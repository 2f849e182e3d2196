// A TCP proxy on loopback that can be cut: open connections stand still without a word, as on a network that drops packets,
// or are reset.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

export async function startProxy(targetPort) {
  const pairs = new Set();
  let cut = false;
  const server = createServer((client) => {
    if (cut) return client.destroy();
    const target = connect(targetPort, '127.0.0.1');
    const pair = { client, target };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      target.destroy();
    };
    for (const [from, to] of [
      [client, target],
      [target, client],
    ]) {
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', end).on('close', end);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: server.address().port,
    /** Nothing passes any more, in either direction, and nobody is told. */
    freeze() {
      cut = true;
      for (const { client, target } of pairs) {
        client.pause();
        target.pause();
      }
    },
    reset() {
      cut = true;
      for (const { client, target } of pairs) {
        client.resetAndDestroy();
        target.destroy();
      }
      pairs.clear();
    },
    /** New connections pass again. What had been frozen is reset: what was under way is lost. */
    mend() {
      for (const { client, target } of pairs) {
        client.resetAndDestroy();
        target.destroy();
      }
      pairs.clear();
      cut = false;
    },
    close() {
      for (const { client, target } of pairs) {
        client.destroy();
        target.destroy();
      }
      server.close();
    },
  };
}
