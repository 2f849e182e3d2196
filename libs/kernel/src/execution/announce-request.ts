import { canonicalJson, isoNow } from '@wrongstack/contracts';
import type { ToolUseBlock } from '@wrongstack/contracts';
import type { CallScope, ExecutionPorts } from './call-scope.js';

/** Log and announce that a call was asked for, before anything is decided. What is stored and shown holds no secret. */
export async function announceRequest(
  ports: Pick<ExecutionPorts, 'events' | 'scrubber' | 'clock'>,
  request: ToolUseBlock,
  scope: CallScope,
): Promise<void> {
  const input = ports.scrubber.scrubValue(request.input);
  ports.events.emit('tool.requested', { ...scope.origin, call: request.id, name: request.name, input });
  ports.events.emit('tool/call', {
    ...scope.origin,
    callId: request.id,
    name: request.name,
    arguments: input,
  });
  await scope.log.append({
    type: 'tool_use',
    ts: isoNow(ports.clock),
    call: request.id,
    name: request.name,
    input: input ?? null,
    ...(sameJson(input, request.input) ? {} : { masked: true }),
    ...(scope.within === undefined ? {} : { within: scope.within }),
  });
}

function sameJson(a: unknown, b: unknown): boolean {
  try {
    return canonicalJson(a ?? null) === canonicalJson(b ?? null);
  } catch {
    return false;
  }
}
