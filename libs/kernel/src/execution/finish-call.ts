import type { ToolResult, ToolUseBlock } from '@wrongstack/contracts';
import { boundOutput } from './bound-output.js';
import type { CallOutcome, CallScope, Ending, ExecutionPorts } from './call-scope.js';
import { textResult } from './call-scope.js';
import { CallScrubber } from './call-scrubber.js';
import { filesOf, recordParked, recordResult } from './record-result.js';
import { scrubResult } from './scrub-result.js';

/** The end of every journey: scrub, then bound, then record. In this order, since a cut could split a secret. */
export async function finishCall(
  ports: ExecutionPorts,
  request: ToolUseBlock,
  ending: Ending,
  scope: CallScope,
): Promise<CallOutcome> {
  if (ending.kind === 'parked') return finishParked(ports, request, ending, scope);
  const { tool, status, decision, durationMs } = ending;
  const scrubbed = scrubResult(new CallScrubber(ports.scrubber, ending.redact), ending.result);
  const bounded = await boundOutput(scrubbed, {
    maxBytes: tool?.maxOutputBytes ?? ports.limits.maxOutputBytes,
    scratchDir: scope.context.scratchDir,
    call: request.id,
  });
  const { result, truncated, spill } = bounded;
  if (truncated) warnTruncated(ports, request, spill, scope);
  await recordResult(
    ports,
    { request, tool, status, result, truncated, spill, durationMs, ran: ending.ran },
    scope,
  );
  return {
    call: request.id,
    name: request.name,
    status,
    result,
    decision,
    truncated,
    spill,
    files: filesOf(result.meta),
    approval: null,
    task: ending.task ?? null,
    ...(ending.code === undefined ? {} : { code: ending.code }),
  };
}

async function finishParked(
  ports: ExecutionPorts,
  request: ToolUseBlock,
  ending: Extract<Ending, { kind: 'parked' }>,
  scope: CallScope,
): Promise<CallOutcome> {
  const result: ToolResult = textResult(
    `Not run: it waits for an approval (${ending.approval}${ending.expiresAt === null ? '' : `, until ${ending.expiresAt}`}). Go on with other work or stop here; do not try to reach the same effect another way.`,
    true,
  );
  const { approval, expiresAt } = ending;
  await recordParked(ports, { request, result, approval, expiresAt }, scope);
  return {
    call: request.id,
    name: request.name,
    status: 'parked',
    result,
    decision: ending.decision,
    truncated: false,
    spill: null,
    files: [],
    approval: { id: approval, expiresAt },
    task: null,
  };
}

/** Cut output is announced as well as marked in the result, so that a person sees it while the call is on screen. */
function warnTruncated(
  ports: ExecutionPorts,
  request: ToolUseBlock,
  spill: string | null,
  scope: CallScope,
): void {
  const text = `output truncated${spill === null ? '' : `; the whole output is in ${spill}`}`;
  const event = { type: 'warning' as const, text };
  ports.events.emit('tool.progress', { ...scope.origin, call: request.id, name: request.name, event });
}
