import {
  DANGEROUS_CAPABILITIES,
  isCanonicalCapability,
  VERDICTS,
  type ActorFacts,
  type Facts,
  type HookDemand,
  type PathFact,
  type PolicyState,
  type Verdict,
} from '@wrongstack/contracts';
import type { PolicyDocument, PolicyRule } from '../../src/documents/policy-document.js';
import type { TrustView } from '../../src/trust/trust-entry.js';
import { ruleHolds, runsOnlyItsInside, simpleCommands, type Question } from './naive-matching.js';
import { isMeta, lock, NaiveTrust } from './naive-trust.js';

/** The decision order of decisions.md, step by step and without any thought for speed. */
export interface NaiveInput {
  readonly facts: Facts;
  readonly documents: readonly PolicyDocument[];
  readonly trust: TrustView;
  readonly state: PolicyState;
  readonly failure: boolean;
  readonly demands: readonly HookDemand[];
}

export interface NaiveResult {
  readonly verdict: Verdict;
  readonly demanded: Verdict;
  /** `document/rule` of every rule in force for somebody in the actor's line. */
  readonly applied: readonly string[];
}

type Rule = PolicyRule & { readonly document: PolicyDocument };
type At = number | 'call';
interface Pair {
  readonly name: string;
  readonly declared: boolean;
  readonly at: At;
}

export function naiveDecide(input: NaiveInput): NaiveResult {
  if (input.failure) return { verdict: 'deny', demanded: 'deny', applied: [] };
  if ((input.facts.actor as ActorFacts | null) === null)
    return { verdict: 'deny', demanded: 'deny', applied: [] };
  const floors: Verdict[] = ['allow'];
  const applied = new Set<string>();
  const approvals = new Set<Rule>();
  for (let actor: ActorFacts | null = input.facts.actor; actor !== null; actor = actor.parent) {
    new OneActor(input, actor).collect(floors, applied, approvals);
  }
  const [first, ...others] = [...approvals].map((rule) => rule.approvers?.from ?? []);
  if (first !== undefined && !first.some((name) => others.every((names) => names.includes(name))))
    floors.push('deny');
  const demanded = strictest(floors);
  return { demanded, verdict: channel(demanded, input), applied: [...applied].sort() };
}

function strictest(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS[Math.max(...verdicts.map((verdict) => VERDICTS.indexOf(verdict)))] ?? 'deny';
}

function channel(demanded: Verdict, { facts, documents }: NaiveInput): Verdict {
  const { interactive, remoteApprovals } = facts.session;
  if (demanded === 'approve') return remoteApprovals ? 'approve' : 'deny';
  if (demanded !== 'confirm' || interactive) return demanded;
  return remoteApprovals && lock(documents, 'headlessConfirm', ['deny', 'queue'], 'deny') === 'queue'
    ? 'approve'
    : 'deny';
}

class OneActor {
  private readonly facts: Facts;
  private readonly rules: readonly Rule[];
  private readonly pairs: readonly Pair[];
  private readonly now: number;
  private readonly trust: NaiveTrust;

  constructor(
    private readonly input: NaiveInput,
    private readonly actor: ActorFacts,
  ) {
    this.facts = input.facts;
    this.now = Date.parse(this.facts.now);
    this.trust = new NaiveTrust(this.facts, input.trust, input.documents);
    this.rules = input.documents
      .filter(({ mode }) => mode !== 'off')
      .flatMap((document) => document.rules.map((rule) => ({ ...rule, document })));
    const count = simpleCommands(this.facts).length;
    const everywhere: readonly At[] = count === 0 ? ['call'] : [...Array(count).keys()];
    this.pairs = this.facts.effective.flatMap(({ name, declared, carriedBy }) =>
      (carriedBy === 'all' ? everywhere : carriedBy).map((at) => ({ name, declared, at })),
    );
  }

  collect(floors: Verdict[], applied: Set<string>, approvals: Set<Rule>): void {
    const key = (rule: Rule): string => `${rule.document.metadata.id}/${rule.id}`;
    const restrictions = this.rules.filter((rule) => rule.effect !== 'allow' && this.inForce(rule));
    const allows = this.rules.filter(
      (rule) => this.isGranting(rule) && this.pairs.some((pair) => this.covers(rule, pair)),
    );
    for (const rule of [...restrictions, ...allows]) applied.add(key(rule));
    for (const rule of restrictions) if (rule.effect === 'approve') approvals.add(rule);

    for (const rule of restrictions) if (rule.effect !== 'oblige' && !isSoft(rule)) floors.push(rule.effect);
    floors.push(...this.hard(allows), ...this.acknowledged(allows), ...this.outsideReads(allows));
    const asks = this.asksSoftly() || restrictions.some(isSoft);
    if (asks && !this.isGranted(allows)) floors.push('confirm');
  }

  // --- Rules

  private question(name: string, at: At, restricts: boolean): Question {
    return { facts: this.facts, actor: this.actor, capability: name, at, restricts, loosens: !restricts };
  }

  private namesOf(name: string): readonly string[] {
    return isCanonicalCapability(name) || name === 'unknown' ? [name] : [name, 'unknown'];
  }

  private isAbout(rule: Rule, name: string): boolean {
    const widened =
      rule.effect !== 'allow' && rule.actions.includes('fs.write')
        ? [...rule.actions, 'fs.write.outside-project']
        : rule.actions;
    return widened.includes('*') || widened.includes(name);
  }

  private expired(moment: string | undefined): boolean {
    return moment !== undefined && this.now >= Date.parse(moment);
  }

  private restrictsAt(rule: Rule, name: string, at: At): boolean {
    return (
      this.isAbout(rule, name) &&
      !this.expired(rule.expiresAt) &&
      ruleHolds(rule, rule.document, this.question(name, at, true)) !== false
    );
  }

  private covers(rule: Rule, pair: Pair): boolean {
    if (this.expired(rule.expiresAt) || this.expired(rule.document.metadata.expiresAt)) return false;
    return this.namesOf(pair.name).some(
      (name) =>
        this.isAbout(rule, name) &&
        ruleHolds(rule, rule.document, this.question(name, pair.at, false)) === true,
    );
  }

  private isEnforced(rule: Rule): boolean {
    return rule.mode !== 'shadow' && rule.document.mode !== 'shadow';
  }

  private isGranting(rule: Rule): boolean {
    const { tier } = rule.document.metadata.scope;
    if (rule.effect !== 'allow' || !this.isEnforced(rule) || isMeta(this.facts)) return false;
    if (tier === 'project' || tier === 'plugin') return false;
    return !this.isSwitchedOff(rule);
  }

  private isSwitchedOff(rule: Rule): boolean {
    const locked = lock(this.input.documents, 'trustGrants', ['off', 'session', 'persistent'], 'persistent');
    return rule.document.metadata.scope.tier === 'user' && locked === 'off';
  }

  private inForce(rule: Rule): boolean {
    if (!this.isEnforced(rule)) return false;
    const names = new Set(this.pairs.flatMap((pair) => this.namesOf(pair.name)));
    const matching = [...names].filter((name) => this.restrictsAt(rule, name, 'call'));
    if (matching.length === 0) return false;
    const overriders = this.rules.filter((other) => this.mayOverride(other, rule));
    if (overriders.length === 0) return true;
    return !matching.every((name) => {
      const pairs = this.pairs.filter((pair) => this.namesOf(pair.name).includes(name));
      const alone = pairs.filter((pair) => this.restrictsAt(rule, name, pair.at));
      return (alone.length > 0 ? alone : pairs).every((pair) =>
        this.through(pair, (inner) => overriders.some((overrider) => this.covers(overrider, inner))),
      );
    });
  }

  private mayOverride(other: Rule, rule: Rule): boolean {
    if (other === rule || !this.isEnforced(other) || other.overrides?.includes(rule.id) !== true)
      return false;
    const byTeam =
      other.document.metadata.scope.tier === 'team' &&
      rule.document.metadata.scope.tier === 'org' &&
      rule.overridable === true;
    const exception =
      other.document === rule.document &&
      other.effect === 'allow' &&
      !this.isSwitchedOff(other) &&
      other.who?.user !== undefined &&
      other.expiresAt !== undefined;
    return byTeam || exception;
  }

  /** A pair itself, or, for a wrapper that only runs its inside, everything inside it. */
  private through(pair: Pair, covered: (pair: Pair) => boolean): boolean {
    if (covered(pair)) return true;
    const command = pair.at === 'call' ? undefined : simpleCommands(this.facts)[pair.at];
    if (command === undefined || !runsOnlyItsInside(command)) return false;
    return command.inner.every((at) => this.through({ ...pair, at }, covered));
  }

  // --- Hard floors

  private hard(allows: readonly Rule[]): Verdict[] {
    const { facts, actor, input } = this;
    const floors: Verdict[] = input.demands.map(({ verdict }) => verdict);
    const deny = (when: boolean): void => {
      if (when) floors.push('deny');
    };
    const names = facts.effective.map(({ name }) => name);
    const dangerous = names.filter(
      (name) => DANGEROUS_CAPABILITIES.includes(name) || !isCanonicalCapability(name),
    );
    deny(facts.permission === 'deny');
    if (facts.session.mode === 'plan') {
      const reading = ['fs.read', 'memory.read', 'session.todo', 'session.mode', 'tool.meta'];
      deny(facts.mutating || names.some((name) => !reading.includes(name)));
    }
    for (const path of this.paths()) {
      deny(path.claimed !== null && path.real === null);
      deny(path.device);
      deny(path.access === 'write' && (path.agentOwn || (path.command === null && path.linkLeavesProject)));
    }
    const { ceiling } = actor;
    deny(ceiling !== null && names.some((name) => !this.namesOf(name).some((one) => ceiling.includes(one))));
    if (actor.subagentDepth > 0) {
      deny(actor.parent === null);
      deny(
        actor.subagentDepth > lock(this.input.documents, 'subagentMaxDepth', [0, 1, 2, 3, 4, 5, 6, 7, 8], 2),
      );
      for (const name of dangerous) {
        const lifting = allows.filter(
          (rule) =>
            ['org', 'team', 'user'].includes(rule.document.metadata.scope.tier) &&
            (rule.who?.subagent ?? false) !== false &&
            this.namesOf(name).some((one) => rule.actions.includes(one)),
        );
        const pairs = this.pairs.filter((pair) => pair.name === name);
        deny(
          !pairs.every((pair) =>
            this.through(
              pair,
              (inner) => this.isPair(inner) && lifting.some((rule) => this.covers(rule, inner)),
            ),
          ),
        );
      }
    }
    if (input.state === 'expired') deny(dangerous.length > 0);
    if (input.state === 'undetermined') {
      deny(
        dangerous.length > 0 ||
          lock(this.input.documents, 'onUndetermined', ['refuse', 'restricted'], 'restricted') === 'refuse',
      );
      if (facts.callRisk !== 'safe') floors.push('confirm');
    }
    for (const entry of this.trust.entries('deny')) deny(this.trust.denies(entry));
    return floors;
  }

  private paths(): readonly PathFact[] {
    return this.facts.paths === 'unknown' ? [] : this.facts.paths;
  }

  // --- Floors that are lowered by what names them

  private acknowledged(allows: readonly Rule[]): Verdict[] {
    const { facts } = this;
    const commands = simpleCommands(facts);
    const unparsed = facts.command === 'unknown' || facts.command?.unparsed === true;
    const acknowledging = unparsed
      ? []
      : allows.filter(
          (rule) =>
            rule.acknowledgeDestructive === true &&
            ['org', 'team'].includes(rule.document.metadata.scope.tier),
        );
    const floors: Verdict[] = [];
    const ask = (lowered: boolean): void => {
      if (!lowered) floors.push('confirm');
    };
    const namesAll = (chosen: readonly number[]): boolean =>
      chosen.length > 0 &&
      chosen.every((at) => {
        const here = this.pairs.filter((pair) => pair.at === at);
        const declared = here.filter((pair) => pair.declared);
        const rules = acknowledging.filter((rule) => rule.when?.command?.argv !== undefined);
        return (
          rules.length > 0 &&
          (declared.length > 0 ? declared : here).every((pair) =>
            this.through(
              pair,
              (inner) => this.isPair(inner) && rules.some((rule) => this.covers(rule, inner)),
            ),
          )
        );
      });
    const where = (test: (index: number) => boolean): number[] => [...commands.keys()].filter(test);

    if (facts.callRisk === 'destructive') {
      const own = where((index) => commands[index]?.risk === 'destructive');
      ask(namesAll(own.length > 0 ? own : [...commands.keys()]));
    }
    const nested = where((index) => commands[index]?.nestedWstack === true);
    if (nested.length > 0) ask(namesAll(nested));
    if (facts.command === 'unknown') {
      if (facts.effective.some(({ name }) => name === 'shell.arbitrary')) ask(false);
    } else if (unparsed) ask(false);
    if (facts.mcp?.pinned === false) {
      const rules = acknowledging.filter((rule) => rule.when?.mcp !== undefined);
      const named = (pair: Pair): boolean =>
        this.isPair(pair) && rules.some((rule) => this.covers(rule, pair));
      ask(rules.length > 0 && this.pairs.every((pair) => this.through(pair, named)));
    }
    for (const path of this.paths()) {
      if (path.access === 'write' && path.claimed === null) ask(false);
      else if (path.access === 'write') {
        if (path.real !== null && !path.inside)
          ask(this.pathNamed(path, 'fs.write.outside-project', acknowledging));
        const capability = path.inside ? 'fs.write' : 'fs.write.outside-project';
        if (path.protected !== null) ask(this.pathNamed(path, capability, acknowledging));
      } else if (path.credential !== null) ask(this.pathNamed(path, 'fs.read', acknowledging));
    }
    return floors;
  }

  private isPair({ name, at }: Pair): boolean {
    return this.pairs.some((pair) => pair.name === name && pair.at === at);
  }

  private pathNamed(path: PathFact, capability: string, allows: readonly Rule[]): boolean {
    const pairs = this.pairs.filter(
      ({ name, at }) => name === capability && (path.command === null || at === path.command),
    );
    return allows.some((rule) => {
      const globs = rule.when?.path?.every ?? rule.when?.path?.some;
      if (globs === undefined || !pairs.some((pair) => this.covers(rule, pair))) return false;
      const alone: Facts = { ...this.facts, paths: [path] };
      const only: PolicyRule = { ...rule, who: undefined, when: { path: { every: globs } } };
      const question = { ...this.question('any', 'call', false), facts: alone };
      return ruleHolds(only, rule.document, question) === true;
    });
  }

  private outsideReads(allows: readonly Rule[]): Verdict[] {
    return this.paths()
      .filter((path) => path.access === 'read' && !path.scratch)
      .filter((path) => path.claimed === null || (path.real !== null && !path.inside))
      .filter((path) => !this.pathNamed(path, 'fs.read', allows) && !this.trust.coversPath(path))
      .map(() => 'confirm');
  }

  // --- Soft floors

  private asksSoftly(): boolean {
    const { facts } = this;
    const harmless = facts.owner === 'core' && !facts.mutating && facts.riskTier === 'safe';
    return (
      facts.permission === 'confirm' || (facts.permission === 'unknown' && !harmless) || facts.mcp !== null
    );
  }

  private isGranted(allows: readonly Rule[]): boolean {
    const needed = this.pairs.filter((pair) => !this.isPlainRead(pair));
    const covered = needed.every((pair) =>
      this.through(
        pair,
        (inner) =>
          (this.isPair(inner) && allows.some((rule) => this.covers(rule, inner))) ||
          this.trust.covers(inner.at),
      ),
    );
    return (covered && needed.length > 0) || this.isYolo();
  }

  private isPlainRead({ name, declared, at }: Pair): boolean {
    if (name !== 'fs.read' || declared) return false;
    const reads = this.paths().filter(
      (path) => path.access === 'read' && (at === 'call' || path.command === null || path.command === at),
    );
    return (
      reads.length > 0 && reads.every((path) => path.claimed !== null && path.real !== null && path.inside)
    );
  }

  private isYolo(): boolean {
    const { yolo, sandboxed } = this.facts.session;
    const locked = lock(this.input.documents, 'yolo', ['off', 'in-sandbox', 'on'], 'on');
    return (
      yolo && this.input.trust.status === 'ok' && (locked === 'on' || (locked === 'in-sandbox' && sandboxed))
    );
  }
}

function isSoft(rule: Rule): boolean {
  return ['orgDefault', 'builtin'].includes(rule.document.metadata.scope.tier) && rule.effect === 'confirm';
}
