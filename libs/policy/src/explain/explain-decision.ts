import type { Decision, Facts, Obligation, PathFact, SimpleCommand } from '@wrongstack/contracts';
import type { CompiledPolicies } from '../rules/compiled-policies.js';
import { describeSubject } from '../trust/trust-entries.js';
import {
  documentName,
  policyName,
  sourceName,
  type ExplainedDemand,
  type ExplainedMatch,
  type ExplainView,
} from './explain-view.js';
import { nearMisses } from './near-misses.js';

/** Why a call was decided as it was. With the compiled policies, also why the rules that come close do not match. */
export function explainDecision(decision: Decision, policies: CompiledPolicies | null = null): ExplainView {
  const { facts, approvers } = decision;
  return {
    verdict: decision.verdict,
    demanded: decision.demanded === decision.verdict ? null : decision.demanded,
    by: sourceName(decision.by),
    micros: decision.micros,
    demands: demandsOf(decision),
    matches: matchesOf(decision),
    because: decision.because,
    instead: decision.instead,
    approvers:
      approvers === null
        ? null
        : `${approvers.count} of ${approvers.from.join(', ')}${approvers.ttlMinutes === null ? '' : ` within ${approvers.ttlMinutes} min`}`,
    obligations: decision.obligations.map(describeObligation),
    facts: factLines(facts),
    policy: policyName(decision),
    factsDigest: decision.factsDigest,
    trust: trustLine(decision),
    noMatch: policies === null ? [] : nearMisses(decision, policies),
  };
}

function demandsOf(decision: Decision): readonly ExplainedDemand[] {
  return decision.floors.map((floor) => ({
    verdict: floor.verdict,
    source: sourceName(floor.source),
    document: documentName(floor.source),
    kind: floor.kind,
    reason: floor.reason,
    outcome: floor.loweredBy === null ? 'not lowered' : `lowered by ${sourceName(floor.loweredBy)}`,
  }));
}

function matchesOf(decision: Decision): readonly ExplainedMatch[] {
  const floors = new Set(decision.floors.map(({ source }) => `${source.document ?? ''}/${source.id}`));
  return decision.matches
    .filter((match) => !match.applied || !floors.has(`${match.document}/${match.id}`))
    .map((match) => ({
      rule: match.id,
      effect: match.effect,
      document: documentName(match),
      on: match.on,
      because: match.because,
      outcome: match.applied ? 'applied' : 'not applied: shadow or overridden',
    }));
}

function describeObligation(obligation: Obligation): string {
  if ('sandbox' in obligation) return `runs in sandbox ${obligation.sandbox}`;
  if ('redact' in obligation) return `masks ${obligation.redact.join(', ')}`;
  const { max, perSeconds, key } = obligation.rateLimit;
  return `at most ${max} in ${perSeconds} s a ${key}`;
}

function factLines(facts: Facts): readonly string[] {
  const capabilities = facts.effective
    .map(({ name, declared }) => (declared ? name : `${name} (implied)`))
    .join(', ');
  const lines = [...commandLines(facts), `${capabilities} · risk ${facts.callRisk}`];
  if (facts.riskReasons.length > 0) lines.push(`risk because of ${facts.riskReasons.join(', ')}`);
  if (facts.paths === 'unknown') lines.push('paths unknown');
  else lines.push(...facts.paths.map(pathLine));
  if (facts.hosts === 'unknown') lines.push('hosts unknown');
  else
    lines.push(
      ...facts.hosts.map(({ scheme, host, port }) => `${scheme}://${host ?? '(not static)'}:${port ?? '?'}`),
    );
  if (facts.mcp !== null) lines.push(`MCP ${facts.mcp.server}${facts.mcp.pinned ? '' : ' (not pinned)'}`);
  return lines;
}

function commandLines(facts: Facts): readonly string[] {
  if (facts.command === null) return [];
  if (facts.command === 'unknown') return ['command unknown'];
  const unparsed = facts.command.unparsed
    ? [`not read whole: ${facts.command.unparsedReason ?? 'unknown'}`]
    : [];
  return [...facts.command.commands.map(commandLine), ...unparsed];
}

function commandLine(one: SimpleCommand): string {
  const through = one.through.length === 0 ? '' : ` (through ${one.through.join(', ')})`;
  const traits = one.traits.length === 0 ? '' : ` [${one.traits.join(', ')}]`;
  return `${one.text}${through}${traits}`;
}

function pathLine(path: PathFact): string {
  const notes = [
    path.inside ? null : 'outside the project',
    path.real === null ? 'cannot be resolved' : null,
    path.linkLeavesProject ? 'a link that leaves the project' : null,
    path.scratch ? 'scratch' : null,
    path.device ? 'device' : null,
    path.agentOwn ? "the agent's own" : null,
    path.access === 'write' ? path.protected : path.credential,
  ].filter((note) => note !== null);
  const name = path.relative ?? path.real ?? path.claimed ?? '(not static)';
  return `${path.access} ${name === '' ? '.' : name}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

function trustLine(decision: Decision): string {
  const { trustOffer } = decision;
  if (!trustOffer.offered) return `not offered: ${trustOffer.reason}`;
  return `${trustOffer.subjects.map(describeSubject).join(', ')} until ${trustOffer.expiresAt}`;
}
