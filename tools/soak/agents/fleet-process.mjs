// A process with many agents, which tools/soak/agents.mjs starts: answers over IPC what it is asked.
import { Agent } from './agent.mjs';
import { Connection } from './connection.mjs';
import { WAIT_SECONDS } from './rates.mjs';

const counts = { requests: 0, unchanged: 0, failures: {} };
const told = {
  answered(status) {
    counts.requests += 1;
    if (status === 304) counts.unchanged += 1;
  },
  failed({ message, code }) {
    const kind = code ?? message.slice(0, 200);
    counts.failures[kind] = (counts.failures[kind] ?? 0) + 1;
  },
};
let agents = [];
let stopping = false;
let lives = [];

/** `work` for each, `most` at a time. */
async function each(items, most, work) {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next], next++);
  };
  await Promise.all(Array.from({ length: most }, worker));
}

const asked = {
  async enrol({ url, owners, from, count, shipEveryMs }) {
    agents = Array.from({ length: count }, () => new Agent(url, shipEveryMs, told));
    const connections = owners.map((token) => new Connection(url, token));
    const ownerOf = (number) => connections[number % connections.length];
    await each(agents, 32, (agent, index) => agent.enrol(ownerOf(from + index), from + index));
    for (const connection of connections) connection.close();
  },
  /** Spread over one long poll, as machines that were switched on at different times are. */
  async start() {
    const spread = Math.min(WAIT_SECONDS * 1000, agents.length * 8);
    lives = agents.map(async (agent) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * spread));
      await agent.live(() => stopping);
    });
  },
  async counts() {
    return { ...counts, connected: agents.filter(({ connected }) => connected).length };
  },
  /** How long after `at` each agent that was connected got this revision; null = has not. */
  async delays({ revision, at }) {
    return agents.map(({ held }) => (held.revision >= revision ? held.at - at : null));
  },
  /** Lets each ship what was cut off, and says what each was told. */
  async finish() {
    stopping = true;
    for (const { connection } of agents) connection.close();
    await Promise.all(lives);
    await each(agents, 8, async (agent) => {
      for (let tries = 0; agent.log.waiting && tries < 5; tries += 1) await agent.ship().catch(told.failed);
    });
    for (const { connection } of agents) connection.close();
    return agents.map(({ id, log }) => [`${id}/${log.source}`, log.acknowledged]);
  },
};

process.on('message', ({ number, ask, ...rest }) => {
  asked[ask](rest).then(
    (value) => process.send({ number, value }),
    (error) => process.send({ number, error: error.stack }),
  );
});
process.on('disconnect', () => process.exit());
