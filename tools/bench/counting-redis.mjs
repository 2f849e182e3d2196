// A Redis of the bench's own on a free port, behind a proxy on loopback that counts round trips: how often a connection is
// written to. What is sent without waiting for an answer is one round trip if it is sent in one go, and more if it is not.
// Answers take a few milliseconds, as over a network, so that nothing is joined by chance.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const ANSWER_MS = 5;

export async function startCountingRedis() {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrongstack-bench-redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--dir', folder, '--save', ''];
  const redis = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await Promise.race([ready(redis), once(redis, 'error').then(([error]) => Promise.reject(error))]);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`redis-server does not start (Debian: apt-get install redis-server): ${error.message}`);
  }
  let trips = 0;
  const sockets = new Set();
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1');
    client.on('data', (bytes) => {
      trips += 1;
      target.write(bytes);
    });
    target.on('data', (bytes) => setTimeout(() => client.write(bytes), ANSWER_MS));
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined).on('close', () => (client.destroy(), target.destroy()));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${port}`,
    countedUrl: `redis://127.0.0.1:${server.address().port}`,
    trips: () => trips,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      redis.kill('SIGKILL');
      await once(redis, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ready(redis) {
  for await (const line of createInterface({ input: redis.stdout })) {
    if (!line.includes('Ready to accept connections')) continue;
    redis.stdout.resume();
    return;
  }
  throw new Error('it ended');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
