import { DANGEROUS_CAPABILITIES, isCanonicalCapability, isoNow, messageOf } from '@wrongstack/contracts';
import type { AuditEntry, Decision, ToolCall } from '@wrongstack/contracts';
import type { ApprovalOutcome, CallScope, ExecutionPorts, Stop } from './call-scope.js';

type Ports = Pick<ExecutionPorts, 'audit' | 'auditFailure' | 'events' | 'metrics' | 'clock' | 'log'>;

/**
 * Write what was decided and answered, awaited, before anything runs; denials too. A call whose decision cannot be
 * recorded does not run, unless the locks let calls without dangerous capabilities pass.
 */
export async function recordDecision(
  ports: Ports,
  call: ToolCall,
  decision: Decision,
  outcome: ApprovalOutcome,
  scope: CallScope,
): Promise<null | Stop> {
  await scope.log.append({
    type: 'decision',
    ts: isoNow(ports.clock),
    call: call.id,
    tool: call.tool.name,
    decision: decision.id,
    verdict: decision.verdict,
    by: { ...decision.by },
    because: decision.because,
  });
  try {
    for (const entry of entriesFor(ports, call, decision, outcome, scope)) await ports.audit.append(entry);
    return null;
  } catch (error) {
    return await afterFailure(ports, decision, outcome, messageOf(error));
  }
}

function entriesFor(
  ports: Ports,
  call: ToolCall,
  decision: Decision,
  outcome: ApprovalOutcome,
  scope: CallScope,
): readonly AuditEntry[] {
  const common = {
    ts: isoNow(ports.clock),
    session: scope.origin.session,
    run: scope.origin.run,
    call: call.id,
  };
  const entries: AuditEntry[] = [{ ...common, kind: 'decision', decision }];
  if (decision.verdict === 'confirm' || decision.verdict === 'approve') {
    const by = outcome.kind === 'granted' ? (outcome.approval?.by ?? []) : [];
    entries.push({
      ...common,
      kind: 'approval',
      data: { outcome: outcome.kind, by, digest: decision.approvalDigest, decision: decision.id },
    });
  }
  if (outcome.kind === 'granted' && outcome.remembered && decision.trustOffer.offered) {
    entries.push({ ...common, kind: 'grant', data: { decision: decision.id, offer: decision.trustOffer } });
  }
  return entries;
}

async function afterFailure(
  ports: Ports,
  decision: Decision,
  outcome: ApprovalOutcome,
  reason: string,
): Promise<null | Stop> {
  ports.metrics.counter('wrongstack_audit_gaps_total', 1);
  ports.log.error('audit log cannot be written', { decision: decision.id });
  // A call that does not run anyway keeps its own ending: the model learns the rule, not our disk's state.
  if (outcome.kind !== 'granted') return null;
  const passes = !isDangerous(decision) && (await lenient(ports));
  ports.events.emit('error', {
    code: 'audit.gap',
    message: `the audit log cannot be written (${reason}); ${passes ? 'calls without dangerous capabilities go on' : 'calls are denied'}`,
    hint: 'wstack diag',
    fatal: false,
  });
  if (passes) return null;
  return {
    stop: 'denied',
    message: 'Denied by floor audit: the decision could not be written to the audit log. Nothing ran.',
  };
}

async function lenient(ports: Ports): Promise<boolean> {
  try {
    return (await ports.auditFailure()) === 'allow-safe';
  } catch {
    // Locks that cannot be read are as strict as can be.
    return false;
  }
}

function isDangerous(decision: Decision): boolean {
  return decision.facts.effective.some(
    ({ name }) => DANGEROUS_CAPABILITIES.includes(name) || !isCanonicalCapability(name),
  );
}
