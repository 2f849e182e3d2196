import { Command, Option } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack approvals list
  wstack approvals show ap-91c2
  wstack approvals approve ap-91c2
  wstack approvals reject ap-91c2 --reason "not on a Friday"
`;
const STATES = ['pending', 'approved', 'rejected', 'expired', 'withdrawn', 'used'];

export function approvalsCommand(): Command {
  const decision = (name: string, description: string): Command =>
    withCommonOptions(
      new Command(name)
        .description(description)
        .argument('<id>', 'as listed')
        .option('--reason <text>', 'why'),
    ).addHelpText('after', EXAMPLES);
  return new Command('approvals')
    .description('requests that wait for people')
    .addHelpText('after', EXAMPLES)
    .addCommand(
      withCommonOptions(
        new Command('list')
          .description('requests, the waiting ones by default')
          .addOption(new Option('--state <state>', 'another state').choices(STATES))
          .option('--mine', 'only what I asked for'),
      )
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/control/approvals.js')).approvalsList)),
    )
    .addCommand(
      withCommonOptions(new Command('show').description('all that would run').argument('<id>', 'as listed'))
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/control/approvals.js')).approvalsShow)),
    )
    .addCommand(
      decision('approve', 'say yes').action(
        runs(async () => (await import('../actions/control/approvals.js')).approvalsApprove),
      ),
    )
    .addCommand(
      decision('reject', 'say no').action(
        runs(async () => (await import('../actions/control/approvals.js')).approvalsReject),
      ),
    );
}
