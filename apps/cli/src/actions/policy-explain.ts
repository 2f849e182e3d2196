import { newId, type ToolCall, WrongStackError } from '@wrongstack/contracts';
import { explainDecision, FixedPolicies } from '@wrongstack/policy';
import { localActor } from '../app/actor.js';
import type { BootRequest, SessionOptions } from '../app/boot-request.js';
import type { Host } from '../app/host.js';
import { EXIT } from '../exit-codes.js';
import { explainLines } from '../terminal/report-lines.js';
import { loadDocuments } from './load-documents.js';
import { readJsonInput } from './read-json-input.js';
import { findTool } from './tool-show.js';
import { withExtensions, withHost } from './with-host.js';

export interface ExplainOptions extends SessionOptions {
  readonly policy?: readonly string[];
  readonly headless?: boolean;
}

/** Decide a call without running it, and print everything that led to the verdict. */
export async function policyExplain(
  [name = '', argument = '{}']: readonly string[],
  options: ExplainOptions,
): Promise<number> {
  const input = await readJsonInput(argument);
  return withHost(
    options,
    async (host, output) => {
      const { decision, context } = await host.policy.inspect(callOf(host, name, input));
      const { noMatch } = explainDecision(decision, context?.policies ?? null);
      const nearMisses = noMatch.map(({ rule, reason }) => `${rule}: ${reason}`);
      if (output.json) output.writeJson({ ...decision, noMatch });
      else output.print(explainLines(decision, nearMisses, output.look));
      return decision.verdict === 'allow' ? EXIT.done : EXIT.stoppedByPolicy;
    },
    (request) => withPolicies(withExtensions(request), options.policy),
    options.headless !== true,
  );
}

async function withPolicies(
  request: BootRequest,
  files: readonly string[] | undefined,
): Promise<BootRequest> {
  if (files === undefined) return request;
  return { ...request, documents: new FixedPolicies(await loadDocuments(files)) };
}

function callOf(host: Host, name: string, input: unknown): ToolCall {
  const tool = findTool(host, name);
  const [fault] = host.kernel.tools.validate(name, input);
  if (fault !== undefined) {
    throw new WrongStackError('tool.bad_input', `input of ${name}: ${fault}`, {
      hint: `wstack tool show ${name}`,
    });
  }
  return {
    id: newId('CallId'),
    tool,
    input,
    actor: localActor(host),
    session: host.control.facts(),
    cwd: host.request.cwd,
    projectRoot: host.request.projectRoot,
    scratchDirs: [],
    background: false,
    hookDemands: [],
    nesting: 0,
  };
}
