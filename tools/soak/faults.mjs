// What goes wrong in a round, while some tasks run and others wait. Each returns when the fault is over; what a task may end
// as follows from it.
import { setTimeout as sleep } from 'node:timers/promises';

export const FAULTS = {
  'worker-killed': {
    about: 'the worker gets SIGKILL in mid-task, and another one starts',
    states: ['completed', 'lost'],
    async run(stack) {
      await stack.kill(stack.worker);
      await stack.startWorker();
    },
  },
  'redis-restarted': {
    about: 'Redis gets SIGKILL and starts again from its file, 1 s later',
    states: ['completed'],
    async run(stack) {
      await stack.kill(stack.redis);
      await sleep(1_000);
      await stack.startRedis();
    },
  },
  'redis-paused': {
    about: 'Redis stands still (SIGSTOP)',
    states: ['completed', 'lost'],
    async run(stack, { pauseMs }) {
      stack.redis.kill('SIGSTOP');
      await sleep(pauseMs);
      stack.redis.kill('SIGCONT');
    },
  },
  'network-frozen': {
    about: 'nothing passes between Redis and all others, without a word; then connections are reset',
    states: ['completed', 'lost'],
    async run(stack, { cutMs }) {
      stack.proxy.freeze();
      await sleep(cutMs);
      stack.proxy.mend();
    },
  },
  'network-reset': {
    about: 'connections to Redis are reset, and refused for a while',
    states: ['completed', 'lost'],
    async run(stack, { cutMs }) {
      stack.proxy.reset();
      await sleep(cutMs);
      stack.proxy.mend();
    },
  },
  'loop-blocked': {
    about: "the worker's event loop stands still for longer than the others' patience",
    states: ['completed', 'lost'],
    async run(stack, { blockMs }) {
      stack.worker.kill('SIGUSR2');
      await sleep(blockMs);
    },
  },
  'api-restarted': {
    about: 'the API gets SIGKILL and starts again',
    states: ['completed'],
    async run(stack) {
      await stack.kill(stack.api);
      await sleep(300);
      await stack.startApi();
    },
  },
};
