import type { Redis } from 'ioredis';

/**
 * Commands that are sent in one go reach the socket in one write, whoever sends them: a write costs more than the commands
 * in it, and most of ours go together with one of BullMQ's. None waits for another, and their order stays.
 */
export function joinWrites(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  let corked = false;
  redis.sendCommand = (command, stream) => {
    const socket = redis.stream as typeof redis.stream | undefined;
    if (!corked && socket?.writable === true) {
      corked = true;
      socket.cork();
      // After everything that goes on without waiting, and before anything is waited for.
      process.nextTick(() => {
        corked = false;
        socket.uncork();
      });
    }
    return send(command, stream);
  };
}
