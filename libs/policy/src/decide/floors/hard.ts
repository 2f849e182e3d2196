import type { HookDemand, PathFact } from '@wrongstack/contracts';
import type { CallView } from '../../rules/match/call-view.js';
import { isSoft } from '../../rules/tiers.js';
import type { Findings } from '../findings.js';
import type { FloorList } from '../floor-list.js';
import { mayHideCommand } from '../hidden-command.js';
import { reachedBelow } from '../reached-below.js';
import { floorSource, ruleSource } from '../sources.js';

const PLAN_CAPABILITIES: ReadonlySet<string> = new Set([
  'fs.read',
  'memory.read',
  'session.todo',
  'session.mode',
  'tool.meta',
]);

/** What no grant lowers, beside the actor's ceiling, the policy state and the trust file's denials. */
export function hardFloors(
  view: CallView,
  findings: Findings,
  demands: readonly HookDemand[],
  floors: FloorList,
): void {
  const { facts } = view;
  for (const rule of findings.restrictions) {
    if (rule.effect === 'allow' || rule.effect === 'oblige' || isSoft(rule.tier)) continue;
    const aside = reachedBelow(view, rule) ?? mayHideCommand(view, rule);
    const { because } = rule.rule;
    floors.hard(rule.effect, ruleSource(rule), aside === null ? because : `${because} (the call ${aside})`);
  }
  for (const { owner, verdict, reason } of demands) floors.hard(verdict, { kind: 'hook', id: owner }, reason);
  if (facts.permission === 'deny') {
    floors.hard('deny', { kind: 'tool', id: facts.tool }, `tool ${facts.tool} is switched off`);
  }
  planFloor(view, findings, floors);
  for (const path of view.paths ?? []) pathFloors(path, floors);
}

function planFloor(view: CallView, findings: Findings, floors: FloorList): void {
  const { facts } = view;
  if (facts.session.mode !== 'plan') return;
  const beyond = findings.capabilities.find(({ name }) => !PLAN_CAPABILITIES.has(name));
  if (beyond === undefined && !facts.mutating) return;
  const what = beyond === undefined ? `tool ${facts.tool} changes something` : `it would need ${beyond.name}`;
  floors.hard('deny', floorSource('plan-mode'), `plan mode only reads: ${what}`);
}

function pathFloors(path: PathFact, floors: FloorList): void {
  const deny = (id: string, reason: string): void => floors.hard('deny', floorSource(id), reason);
  // An operand that is not static is unknown, which is another floor; this is one the file system refuses to resolve.
  if (path.claimed !== null && path.real === null) {
    deny('unresolvable-path', `${path.claimed} cannot be resolved, so nobody can say what it is`);
  }
  if (path.device)
    deny('device-path', `${path.claimed ?? 'a path'} is a device, a pipe, a socket or a network share`);
  if (path.access !== 'write') return;
  if (path.agentOwn) {
    deny(
      'agent-files',
      `${path.claimed ?? 'a path'} decides what the agent may do, so the agent cannot write it`,
    );
  }
  if (path.command === null && path.linkLeavesProject) {
    deny(
      'link-leaves-project',
      `${path.claimed ?? 'a path'} is in the project by name only: a link leads out of it`,
    );
  }
}
