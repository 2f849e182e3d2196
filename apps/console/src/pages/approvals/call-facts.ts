import type { PathFact } from '@wrongstack/contracts';

/**
 * What a request says about its call. It was made by a client, perhaps another version of it: what is not as expected is left out here, and
 * still to be read among the raw facts.
 */
export interface CallFacts {
  readonly actor: readonly (readonly [string, string])[];
  readonly cwd: string | null;
  readonly project: string | null;
  readonly capabilities: readonly string[];
  readonly risk: string | null;
  readonly riskReasons: readonly string[];
  readonly commands: readonly { readonly text: string; readonly notes: readonly string[] }[];
  readonly paths: readonly {
    readonly path: string;
    readonly access: string;
    readonly notes: readonly string[];
  }[];
  readonly hosts: readonly string[];
  /** What could not be known: a person should know that as well. */
  readonly unknown: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

export function readFacts(value: unknown): CallFacts {
  const facts = object(value);
  const command = object(facts['command']);
  return {
    actor: actorOf(object(facts['actor'])),
    cwd: text(facts['cwd']),
    project: text(facts['project']),
    capabilities: list(facts['effective']).flatMap((one) => text(object(one)['name']) ?? []),
    risk: text(facts['callRisk']),
    riskReasons: list(facts['riskReasons']).flatMap((one) => text(one) ?? []),
    commands: list(command['commands']).map((one) => commandOf(object(one))),
    paths: list(facts['paths']).map((one) => pathOf(object(one))),
    hosts: list(facts['hosts']).map((one) => hostOf(object(one))),
    unknown: [
      ...(['paths', 'command', 'hosts'] as const).filter((name) => facts[name] === 'unknown'),
      ...(command['unparsed'] === true ? ['what the command does'] : []),
    ],
  };
}

function actorOf(actor: Json): [string, string][] {
  const named = (['user', 'team', 'agent'] as const).flatMap((name): [string, string][] => {
    const who = text(object(actor[name])['name']);
    const vouched = object(actor[name])['authenticated'] === true ? '' : ' (says so)';
    return who === null ? [] : [[name, who + vouched]];
  });
  const subagent = text(actor['subagent']);
  const plugin = text(actor['plugin']);
  return [
    ...named,
    ...(subagent === null ? [] : [['subagent', subagent] satisfies [string, string]]),
    ...(plugin === null ? [] : [['plugin', plugin] satisfies [string, string]]),
  ];
}

function commandOf(command: Json): CallFacts['commands'][number] {
  const through = list(command['through']).flatMap((one) => text(one) ?? []);
  return {
    text: text(command['text']) ?? '',
    notes: [
      ...(through.length === 0 ? [] : [`through ${through.join(', ')}`]),
      ...list(command['traits']).flatMap((one) => text(one) ?? []),
      ...[text(command['riskReason'])].flatMap((reason) => (reason === null ? [] : [reason])),
    ],
  };
}

type NotedFact = Extract<keyof PathFact, 'protected' | 'credential'>;
const NOTED: readonly NotedFact[] = ['protected', 'credential'];

function pathOf(path: Json): CallFacts['paths'][number] {
  const real = text(path['real']);
  return {
    path: real ?? text(path['claimed']) ?? 'a path that is not known before it runs',
    access: text(path['access']) ?? 'unknown',
    notes: [
      ...(path['inside'] === false ? ['OUTSIDE PROJECT'] : []),
      ...(path['linkLeavesProject'] === true ? ['a link that leaves the project'] : []),
      ...(path['recursive'] === true ? ['and all below it'] : []),
      ...(path['exists'] === false ? ['new'] : []),
      ...(real === null ? ['cannot be resolved'] : []),
      ...NOTED.flatMap((name) => text(path[name]) ?? []),
    ],
  };
}

function hostOf(host: Json): string {
  const name = text(host['host']) ?? 'a host that is not known before it runs';
  const port = host['port'];
  return `${text(host['scheme']) ?? '?'}://${name}${typeof port === 'number' ? `:${port}` : ''}`;
}

function object(value: unknown): Json {
  // An object's members are unknown until they are looked at.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
