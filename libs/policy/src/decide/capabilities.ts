import {
  DANGEROUS_CAPABILITIES,
  isCanonicalCapability,
  type Capability,
  type Facts,
} from '@wrongstack/contracts';
import { WHOLE_CALL, type CallSubject, type CallView } from '../rules/match/call-view.js';

/** One effective capability of a call with what rules are asked about it. */
export interface CallCapability {
  readonly name: Capability;
  readonly declared: boolean;
  readonly dangerous: boolean;
  /** Indices of simple commands, or WHOLE_CALL alone. Each is one pair that an allow must cover. */
  readonly carriers: readonly number[];
  /** What rules are asked: an invented capability goes by its own name and by `unknown`. */
  readonly subjects: readonly CallSubject[];
}

const UNKNOWN = 'unknown';
const dangerous: ReadonlySet<string> = new Set(DANGEROUS_CAPABILITIES);

export function capabilitiesOf(view: CallView): CallCapability[] {
  const { effective } = view.facts;
  const everything = view.commands.length === 0 ? [WHOLE_CALL] : view.commands.map(({ index }) => index);
  const entries = effective.map(({ name, declared, carriedBy }) => {
    const carriers = carriedBy === 'all' || carriedBy.length === 0 ? everything : carriedBy;
    return describe(view, name, declared, carriers);
  });
  return entries.length > 0 ? entries : [describe(view, UNKNOWN, false, everything)];
}

function describe(
  call: CallView,
  name: Capability,
  declared: boolean,
  carriers: readonly number[],
): CallCapability {
  const canonical = isCanonicalCapability(name);
  const names = canonical || name === UNKNOWN ? [name] : [name, UNKNOWN];
  return {
    name,
    declared,
    dangerous: canonical ? dangerous.has(name) : true,
    carriers,
    subjects: names.map((capability) => ({ call, capability, carriers })),
  };
}

/** A read that an allow need not name: implied by the call, and of the project's own files alone. */
export function isPlainProjectRead(facts: Facts, capability: CallCapability, at: number): boolean {
  if (capability.name !== 'fs.read' || capability.declared || facts.paths === 'unknown') return false;
  const reads = facts.paths.filter(
    (path) => path.access === 'read' && (at === WHOLE_CALL || path.command === at || path.command === null),
  );
  return (
    reads.length > 0 && reads.every((path) => path.claimed !== null && path.real !== null && path.inside)
  );
}
