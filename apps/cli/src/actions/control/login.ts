import { hostname } from 'node:os';
import {
  enrolByCode,
  enrolWithToken,
  IdentityFile,
  readEnrolment,
  serverAddress,
} from '@wrongstack/adapters/control';
import { messageOf, systemClock } from '@wrongstack/contracts';
import type { CommonOptions } from '../../commands/common-options.js';
import { EXIT } from '../../exit-codes.js';
import { usageError } from '../../report-error.js';
import { VERSION } from '../../version.js';
import { readSecret } from '../read-secret.js';
import { centreOf, inScene } from './open.js';

export interface LoginOptions extends CommonOptions {
  readonly server?: string;
  /** `--token`: from WRONGSTACK_TOKEN, else from stdin. Never an argument, which every process on the machine could read. */
  readonly token?: boolean;
  readonly team?: string;
}

/** Enrol this account: by a code that is confirmed in a browser, or with a token. Ends with the first policy. */
export function login(_args: readonly string[], options: LoginOptions): Promise<number> {
  return inScene(options, async (scene) => {
    const { request, output, signal } = scene;
    const { control, managedDir } = request.paths;
    const enrolment = await readEnrolment({ managedFolder: managedDir, folder: control });
    const server = chosenServer(options.server, enrolment);
    const parts = {
      server,
      enrolment,
      folder: control,
      identity: new IdentityFile(control),
      clock: systemClock,
      client: {
        name: 'wstack',
        version: VERSION,
        platform: `${process.platform}-${process.arch}`,
        host: hostname().slice(0, 255) || 'unknown',
      },
    };
    const identity =
      options.token === true
        ? await enrolWithToken(parts, await tokenOf(request.environment.variable), options.team, signal)
        : await enrolByCode(
            parts,
            ({ userCode, verificationUri, verificationUriComplete }) => {
              output.note(`code     ${userCode}`);
              output.note(
                `open     ${verificationUriComplete === '' ? verificationUri : verificationUriComplete}`,
              );
              output.note('waiting  until the code is confirmed there · Ctrl-C gives up');
            },
            signal,
          );
    const centre = await centreOf(scene);
    // Signed in is signed in; a policy that cannot be fetched now is fetched by the next command, and its absence is a state.
    const trouble = await centre?.refresher.refresh(signal).then(
      ({ refused }) => refused?.reason ?? null,
      (error: unknown) => messageOf(error),
    );
    const revision = centre?.policy.bundle?.revision ?? null;
    if (output.json) {
      output.writeJson({
        server,
        agent: identity.agent,
        principal: identity.principal,
        scope: identity.scope,
        revision,
        trouble: trouble ?? null,
      });
    } else {
      output.say(`signed in to ${server} as ${identity.principal.name} · ${identity.scope}`);
      output.say(
        revision === null
          ? `no policy yet: ${trouble ?? 'none is published'}`
          : `policy revision ${revision} received`,
      );
    }
    return EXIT.done;
  });
}

function chosenServer(
  given: string | undefined,
  enrolment: { readonly server: string; readonly managed: boolean } | null,
): string {
  if (given === undefined) {
    if (enrolment !== null) return enrolment.server;
    throw usageError('no server', 'wstack login --server https://…');
  }
  const server = serverAddress(given);
  if (enrolment === null || enrolment.server === server) return server;
  throw usageError(
    `this ${enrolment.managed ? 'machine' : 'account'} is enrolled with ${enrolment.server}`,
    enrolment.managed
      ? 'only an administrator can change that'
      : 'leave --server out, or remove ~/.wrongstack/control yourself',
  );
}

async function tokenOf(variable: (name: string) => string | undefined): Promise<string> {
  const token = (variable('WRONGSTACK_TOKEN') ?? (await readSecret('token (not shown): '))).trim();
  if (/^[\w-]{8,500}$/.test(token)) return token;
  throw usageError('that is no token', 'it looks like wst_…; set WRONGSTACK_TOKEN or pipe it in');
}
