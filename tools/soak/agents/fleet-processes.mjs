import { fork } from 'node:child_process';
import path from 'node:path';

/** Child processes that share the agents between them, asked all at once. */
export class FleetProcesses {
  #number = 0;
  #open = new Map();

  constructor(count) {
    this.children = Array.from({ length: count }, () => {
      const child = fork(path.join(import.meta.dirname, 'fleet-process.mjs'));
      child.on('message', ({ number, value, error }) => {
        const { resolve, reject } = this.#open.get(number);
        this.#open.delete(number);
        if (error === undefined) resolve(value);
        else reject(new Error(error));
      });
      return child;
    });
  }

  /** `of(index)`: what the process of this index is told besides. */
  ask(ask, of = () => ({})) {
    return Promise.all(
      this.children.map((child, index) => {
        const number = this.#number++;
        const answer = new Promise((resolve, reject) => this.#open.set(number, { resolve, reject }));
        child.send({ number, ask, ...of(index) });
        return answer;
      }),
    );
  }

  async counts() {
    const all = await this.ask('counts');
    const sum = (name) => all.reduce((total, one) => total + one[name], 0);
    const failures = {};
    for (const one of all)
      for (const [kind, count] of Object.entries(one.failures))
        failures[kind] = (failures[kind] ?? 0) + count;
    return {
      ...{ requests: sum('requests'), unchanged: sum('unchanged'), connected: sum('connected') },
      ...{ at: Date.now(), failures },
    };
  }

  stop() {
    for (const child of this.children) if (child.connected) child.disconnect();
  }
}
