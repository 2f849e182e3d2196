import { Command } from 'commander';
import { positiveInteger, runs, withCommonOptions } from './common-options.js';

const VERIFY_EXAMPLES = `
Examples
  wstack audit verify              the log of this machine
  wstack audit verify --server     the organisation's chain

Exit: 0 every chain holds, 1 one does not.
`;
const SEARCH_EXAMPLES = `
Examples
  wstack audit search --verdict deny --tool bash
  wstack audit search --rule no-prod-kube --from 2026-11-01T00:00:00Z --json
`;

export function auditCommand(): Command {
  return new Command('audit')
    .description('what was decided, and that nobody changed it')
    .addHelpText('after', VERIFY_EXAMPLES)
    .addCommand(
      withCommonOptions(
        new Command('verify')
          .description('check the hash chains')
          .option('--server', "the organisation's chain instead of the local log"),
      )
        .addHelpText('after', VERIFY_EXAMPLES)
        .action(runs(async () => (await import('../actions/control/audit.js')).auditVerify)),
    )
    .addCommand(
      withCommonOptions(
        new Command('search')
          .description("search the organisation's records")
          .option('--actor <name>', 'who')
          .option('--tool <name>', 'tool name')
          .option('--verdict <verdict>', 'allow, confirm, approve or deny')
          .option('--rule <id>', 'the determining rule')
          .option('--from <time>', 'from then on, ISO 8601')
          .option('--to <time>', 'before then')
          .option('--limit <number>', 'at most so many', positiveInteger),
      )
        .addHelpText('after', SEARCH_EXAMPLES)
        .action(runs(async () => (await import('../actions/control/audit.js')).auditSearch)),
    );
}
