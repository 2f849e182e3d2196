import type { ActorFacts } from '@wrongstack/contracts';
import type { MergedLocks } from '../rules/merged-locks.js';
import type { CompiledRule } from '../rules/compiled-rule.js';
import { onlyTightens } from '../rules/tiers.js';
import type { CallView } from '../rules/match/call-view.js';
import type { CallCapability } from './capabilities.js';
import { isCoveredAt, type Findings } from './findings.js';
import type { FloorList } from './floor-list.js';

/** What this actor may not do at all: beyond its ceiling, and what no subagent gets by default. */
export function actorFloors(view: CallView, findings: Findings, locks: MergedLocks, floors: FloorList): void {
  const { actor } = view;
  const name = nameOf(actor);
  const deny = (reason: string): void => floors.hard('deny', { kind: 'actor', id: name }, reason);

  if (actor.ceiling !== null) {
    const { ceiling } = actor;
    for (const capability of findings.capabilities) {
      const within = capability.subjects.some((subject) => ceiling.includes(subject.capability));
      if (!within) deny(`${capability.name} is beyond what ${name} may do`);
    }
  }
  if (actor.subagentDepth === 0) return;
  if (actor.parent === null) deny(`nobody knows which agent started ${name}, so its limits are unknown`);
  if (actor.subagentDepth > locks.subagentMaxDepth) {
    deny(`${name} is ${actor.subagentDepth} levels deep, and ${locks.subagentMaxDepth} are allowed`);
  }
  for (const capability of findings.capabilities) {
    if (capability.dangerous && !isLifted(view, capability, findings)) {
      deny(`${capability.name} is not for subagents unless a policy names them and it`);
    }
  }
}

export function nameOf(actor: ActorFacts): string {
  if (actor.subagentDepth > 0) return actor.subagent === null ? 'a subagent' : `subagent ${actor.subagent}`;
  return actor.plugin === null ? 'the agent' : `plugin ${actor.plugin}`;
}

/** Lifted by allows that name subagents and the capability itself: one for everybody or everything does not mean them. */
function isLifted(view: CallView, capability: CallCapability, findings: Findings): boolean {
  const lifting = findings.allows.filter(
    (hit) =>
      hit.capability === capability && namesSubagents(hit.rule) && namesCapability(hit.rule, capability),
  );
  if (lifting.length === 0) return false;
  return capability.carriers.every((at) =>
    isCoveredAt(view, at, (index) => lifting.some((hit) => hit.at.includes(index))),
  );
}

function namesSubagents({ rule, tier }: CompiledRule): boolean {
  if (tier === 'builtin' || onlyTightens(tier)) return false;
  return rule.who?.subagent !== undefined && rule.who.subagent !== false;
}

function namesCapability(rule: CompiledRule, { subjects }: CallCapability): boolean {
  return subjects.some(({ capability }) => rule.actions.includes(capability));
}
