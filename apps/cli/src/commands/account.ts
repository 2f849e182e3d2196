import { Command } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const LOGIN_EXAMPLES = `
Examples
  wstack login --server https://policy.example.com
  pass show policy | wstack login --server https://policy.example.com --token
  WRONGSTACK_TOKEN=wst_… wstack login --token

Without --token it prints a code that is confirmed in a browser. The server's
root key is pinned; sign in again at any time.
`;
const LOGOUT_EXAMPLES = `
Examples
  wstack logout

Drops the identity, never the enrolment: the policy stays in force.
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
