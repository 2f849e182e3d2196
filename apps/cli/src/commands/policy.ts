import { Command } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack policy explain bash '{"command":"rm -rf build"}'
  wstack policy test payments.yaml
  wstack policy lint
  wstack policy diff payments.r41.yaml payments.r42.yaml
`;
const EXPLAIN_EXAMPLES = `
Examples
  wstack policy explain bash '{"command":"git push --force"}'
  wstack policy explain write '{"path":"infra/main.tf","content":""}' --headless
  wstack policy explain bash '{"command":"npm test"}' --policy draft.yaml

Nothing runs. Exit: 0 allow, 3 anything else.
`;
const TEST_EXAMPLES = `
Examples
  wstack policy test payments.yaml
`;
const LINT_EXAMPLES = `
Examples
  wstack policy lint payments.yaml
  wstack policy lint                 the policies in force here
`;
const DIFF_EXAMPLES = `
Examples
  wstack policy diff payments.r41.yaml payments.r42.yaml
  wstack policy diff payments.yaml            against what the server has published
  wstack policy diff payments.yaml --draft    against its draft there
`;
const STATUS_EXAMPLES = `
Examples
  wstack policy status
  wstack policy status --json | jq .state

Exit: 0, or 3 while the policy is expired or was never received.
`;
const PULL_EXAMPLES = `
Examples
  wstack policy pull
`;
const PUSH_EXAMPLES = `
Examples
  wstack policy push policies/*.yaml     each file becomes the draft of its policy
`;

export function policyCommand(): Command {
  const explain = withCommonOptions(
    new Command('explain')
      .description('how a call would be decided, and by what')
      .argument('<tool>', 'tool name')
      .argument('[input]', 'JSON object; - reads it from stdin', '{}')
      .option('--policy <file...>', 'decide with these documents instead of those in force')
      .option('--headless', 'as without a terminal')
      .option('--yolo', 'as with YOLO on')
      .option('--plan', 'as in plan mode'),
  );
  const test = withCommonOptions(
    new Command('test')
      .description('run the tests that documents carry')
      .argument('<file...>', 'policy documents'),
  );
  const lint = withCommonOptions(
    new Command('lint')
      .description('find rules that do not do what they seem to')
      .argument('[file...]', 'policy documents; those in force by default'),
  );
  const diff = withCommonOptions(
    new Command('diff')
      .description('what one revision changes over another')
      .argument('<before>', 'policy document')
      .argument('[after]', 'policy document; without it, the file is compared with the server')
      .option('--draft', "the server's draft instead of what it has published"),
  );
  const status = withCommonOptions(
    new Command('status').description('which policies are in force, and how current they are'),
  );
  const pull = withCommonOptions(new Command('pull').description('fetch the signed policy now'));
  const push = withCommonOptions(
    new Command('push')
      .description('save files as drafts on the server')
      .argument('<file...>', 'policy documents'),
  );
  return new Command('policy')
    .description('explain, test, lint, compare and fetch capability policies')
    .addHelpText('after', EXAMPLES)
    .addCommand(
      status
        .addHelpText('after', STATUS_EXAMPLES)
        .action(runs(async () => (await import('../actions/control/policy-status.js')).policyStatus)),
    )
    .addCommand(
      pull
        .addHelpText('after', PULL_EXAMPLES)
        .action(runs(async () => (await import('../actions/control/policy-status.js')).policyPull)),
    )
    .addCommand(
      push
        .addHelpText('after', PUSH_EXAMPLES)
        .action(runs(async () => (await import('../actions/control/policy-push.js')).policyPush)),
    )
    .addCommand(
      explain
        .addHelpText('after', EXPLAIN_EXAMPLES)
        .action(runs(async () => (await import('../actions/policy-explain.js')).policyExplain)),
    )
    .addCommand(
      test
        .addHelpText('after', TEST_EXAMPLES)
        .action(runs(async () => (await import('../actions/policy-test.js')).policyTest)),
    )
    .addCommand(
      lint
        .addHelpText('after', LINT_EXAMPLES)
        .action(runs(async () => (await import('../actions/policy-lint.js')).policyLint)),
    )
    .addCommand(
      diff
        .addHelpText('after', DIFF_EXAMPLES)
        .action(runs(async () => (await import('../actions/policy-diff.js')).policyDiff)),
    );
}
