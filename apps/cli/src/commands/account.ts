import { Command } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const LOGIN_EXAMPLES = `
Examples
  wstack login --server https://wrongstack.example.com       prints a code to confirm in a browser
  WRONGSTACK_TOKEN=wst_… wstack login --server https://wrongstack.example.com --token
  pass show wrongstack | wstack login --server https://wrongstack.example.com --token

The server's root key is pinned. Sign in again at any time; only the removal of the enrolment ends it.
`;
const LOGOUT_EXAMPLES = `
Examples
  wstack logout

Drops the identity, never the enrolment: the policy that is held stays in force.
`;
const WHOAMI_EXAMPLES = `
Examples
  wstack whoami
  wstack whoami --json
`;

export function loginCommand(): Command {
  return withCommonOptions(
    new Command('login')
      .description('enrol with a control plane')
      .option('--server <url>', 'its address; the enrolled one by default')
      .option('--token', 'with a token from WRONGSTACK_TOKEN or stdin instead of a code')
      .option('--team <name>', 'the team whose policy applies, where there are several'),
  )
    .addHelpText('after', LOGIN_EXAMPLES)
    .action(runs(async () => (await import('../actions/control/login.js')).login));
}

export function logoutCommand(): Command {
  return withCommonOptions(new Command('logout').description('drop the identity'))
    .addHelpText('after', LOGOUT_EXAMPLES)
    .action(runs(async () => (await import('../actions/control/logout.js')).logout));
}

export function whoamiCommand(): Command {
  return withCommonOptions(new Command('whoami').description('who this client is, and who says so'))
    .addHelpText('after', WHOAMI_EXAMPLES)
    .action(runs(async () => (await import('../actions/control/whoami.js')).whoami));
}
