import type { DecisionSource, PathFact } from '@wrongstack/contracts';
import type { CallView, CommandView } from '../../rules/match/call-view.js';
import { isCentral } from '../../rules/tiers.js';
import { isCoveredAt, type AllowHit, type Findings } from '../findings.js';
import type { FloorList } from '../floor-list.js';
import { floorSource, ruleSource } from '../sources.js';

/** What only an acknowledgement by the organisation or the team lowers, and then only what it names. */
export function acknowledgedFloors(view: CallView, findings: Findings, floors: FloorList): void {
  const { facts } = view;
  const acknowledging = view.commandsKnown
    ? findings.allows.filter(({ rule }) => isCentral(rule.tier) && rule.rule.acknowledgeDestructive === true)
    : [];
  const confirm = (id: string, reason: string, loweredBy: DecisionSource | null): void =>
    floors.confirm('acknowledged', floorSource(id), reason, loweredBy);

  if (facts.callRisk === 'destructive') {
    const destructive = view.commands.filter(({ command }) => command.risk === 'destructive');
    const commands = destructive.length > 0 ? destructive : view.commands;
    const what = facts.riskReasons.length > 0 ? facts.riskReasons.join(', ') : `tool ${facts.tool}`;
    confirm('destructive', `destructive: ${what}`, commandsNamed(view, findings, commands, acknowledging));
  }
  const nested = view.commands.filter(({ command }) => command.nestedWstack);
  if (nested.length > 0) {
    confirm('nested-wstack', 'it runs wstack itself', commandsNamed(view, findings, nested, acknowledging));
  }
  if (isUnparsed(view)) confirm('unparsed-command', unparsedReason(view), null);
  if (facts.mcp !== null && !facts.mcp.pinned) {
    const reason = `the definition of ${facts.tool} on MCP server ${facts.mcp.server} is not pinned`;
    confirm('mcp-not-pinned', reason, serverNamed(view, findings, acknowledging));
  }
  for (const path of view.paths ?? []) pathFloors(path, acknowledging, facts.project, confirm);
}

/** An opaque or broken command line, or one that nobody could read although the tool runs arbitrary ones. */
function isUnparsed(view: CallView): boolean {
  const { command, effective } = view.facts;
  if (command === 'unknown') return effective.some(({ name }) => name === 'shell.arbitrary');
  return command?.unparsed === true;
}

function unparsedReason({ facts: { command } }: CallView): string {
  const why = command === null || command === 'unknown' ? null : command.unparsedReason;
  return `the command cannot be judged: ${why ?? 'it was not described'}`;
}

/** The rule that names every one of these commands, under every capability that the tool declares for them. */
function commandsNamed(
  view: CallView,
  findings: Findings,
  commands: readonly CommandView[],
  acknowledging: readonly AllowHit[],
): DecisionSource | null {
  const naming = acknowledging.filter(({ rule }) => rule.rule.when?.command?.argv !== undefined);
  const [first] = naming;
  if (first === undefined || commands.length === 0) return null;
  const all = commands.every(({ index }) => {
    const carried = findings.capabilities.filter(({ carriers }) => carriers.includes(index));
    const declared = carried.filter((capability) => capability.declared);
    return (declared.length > 0 ? declared : carried).every((capability) =>
      isCoveredAt(view, index, (at) =>
        naming.some((hit) => hit.capability === capability && hit.at.includes(at)),
      ),
    );
  });
  return all ? ruleSource(first.rule) : null;
}

/** The rule that names the MCP server or tool, for everything that the call could do there. */
function serverNamed(
  view: CallView,
  findings: Findings,
  acknowledging: readonly AllowHit[],
): DecisionSource | null {
  const naming = acknowledging.filter(({ rule }) => rule.rule.when?.mcp !== undefined);
  const [first] = naming;
  if (first === undefined) return null;
  const all = findings.capabilities.every((capability) =>
    capability.carriers.every((carrier) =>
      isCoveredAt(view, carrier, (at) =>
        naming.some((hit) => hit.capability === capability && hit.at.includes(at)),
      ),
    ),
  );
  return all ? ruleSource(first.rule) : null;
}

function pathFloors(
  path: PathFact,
  acknowledging: readonly AllowHit[],
  project: string,
  confirm: (id: string, reason: string, loweredBy: DecisionSource | null) => void,
): void {
  if (path.access === 'write') {
    if (path.claimed === null) {
      confirm('unknown-write', 'it writes a file whose name is not known before it runs', null);
      return;
    }
    if (path.real !== null && !path.inside) {
      const named = ruleNaming(path, 'fs.write.outside-project', acknowledging, project);
      confirm('outside-write', `outside-project: ${path.claimed}`, named);
    }
    if (path.protected !== null) {
      const capability = path.inside ? 'fs.write' : 'fs.write.outside-project';
      confirm(
        'protected-write',
        `${path.claimed} is protected: ${path.protected}`,
        ruleNaming(path, capability, acknowledging, project),
      );
    }
  }
  if (path.access === 'read' && path.credential !== null) {
    const named = ruleNaming(path, 'fs.read', acknowledging, project);
    confirm('credential-read', `${path.claimed ?? 'a path'} holds credentials: ${path.credential}`, named);
  }
}

/** The allow that names this very path, and all below it that is read with it, for what is done to it. */
export function ruleNaming(
  path: PathFact,
  capability: string,
  allows: readonly AllowHit[],
  project: string,
): DecisionSource | null {
  const hit = allows.find(
    ({ rule, at, capability: { name } }) =>
      name === capability &&
      (path.command === null || at.includes(path.command)) &&
      rule.namesPath?.(path, project) === 'yes',
  );
  return hit === undefined ? null : ruleSource(hit.rule);
}
