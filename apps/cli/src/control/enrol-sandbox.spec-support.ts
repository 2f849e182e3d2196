import { enrolWithToken, IdentityFile } from '@wrongstack/adapters/control';
import { systemClock } from '@wrongstack/contracts';
import { agentPaths } from '../app/agent-paths.js';
import { openCentre } from '../app/centre.js';
import type { Environment } from '../environment.js';
import { type ControlServer, PERSONS_TOKEN } from './control-server.spec-support.js';

/** What `wstack login` and `wstack policy pull` leave behind. */
export async function enrolHome(environment: Environment, server: ControlServer): Promise<void> {
  const paths = agentPaths(environment);
  const parts = {
    server: server.address,
    client: { name: 'wstack', version: '0.1.0', platform: 'linux-x64', host: 'laptop' },
    folder: paths.control,
    identity: new IdentityFile(paths.control),
    clock: systemClock,
    enrolment: null,
  };
  const signal = new AbortController().signal;
  await enrolWithToken(parts, PERSONS_TOKEN, undefined, signal);
  const centre = await openCentre({ paths, clock: systemClock, scrub: (text) => text, interactive: false });
  await centre?.refresher.refresh(signal);
  await centre?.close();
}
