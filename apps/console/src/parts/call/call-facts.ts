import type { PathFact } from '@wrongstack/contracts';
import { type Json, listIn, objectIn, textIn } from '../json.js';

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

export function readFacts(value: unknown): CallFacts {
  const facts = objectIn(value);
  const command = objectIn(facts['command']);
  return {
    actor: actorOf(objectIn(facts['actor'])),
    cwd: textIn(facts['cwd']),
    project: textIn(facts['project']),
    capabilities: listIn(facts['effective']).flatMap((one) => textIn(objectIn(one)['name']) ?? []),
    risk: textIn(facts['callRisk']),
    riskReasons: listIn(facts['riskReasons']).flatMap((one) => textIn(one) ?? []),
    commands: listIn(command['commands']).map((one) => commandOf(objectIn(one))),
    paths: listIn(facts['paths']).map((one) => pathOf(objectIn(one))),
    hosts: listIn(facts['hosts']).map((one) => hostOf(objectIn(one))),
    unknown: [
      ...(['paths', 'command', 'hosts'] as const).filter((name) => facts[name] === 'unknown'),
      ...(command['unparsed'] === true ? ['what the command does'] : []),
    ],
  };
}

function actorOf(actor: Json): [string, string][] {
  const named = (['user', 'team', 'agent'] as const).flatMap((name): [string, string][] => {
    const who = textIn(objectIn(actor[name])['name']);
    const vouched = objectIn(actor[name])['authenticated'] === true ? '' : ' (says so)';
    return who === null ? [] : [[name, who + vouched]];
  });
  const subagent = textIn(actor['subagent']);
  const plugin = textIn(actor['plugin']);
  return [
    ...named,
    ...(subagent === null ? [] : [['subagent', subagent] satisfies [string, string]]),
    ...(plugin === null ? [] : [['plugin', plugin] satisfies [string, string]]),
  ];
}

function commandOf(command: Json): CallFacts['commands'][number] {
  const through = listIn(command['through']).flatMap((one) => textIn(one) ?? []);
  return {
    text: textIn(command['text']) ?? '',
    notes: [
      ...(through.length === 0 ? [] : [`through ${through.join(', ')}`]),
      ...listIn(command['traits']).flatMap((one) => textIn(one) ?? []),
      ...[textIn(command['riskReason'])].flatMap((reason) => (reason === null ? [] : [reason])),
    ],
  };
}

type NotedFact = Extract<keyof PathFact, 'protected' | 'credential'>;
const NOTED: readonly NotedFact[] = ['protected', 'credential'];

function pathOf(path: Json): CallFacts['paths'][number] {
  const real = textIn(path['real']);
  return {
    path: real ?? textIn(path['claimed']) ?? 'a path that is not known before it runs',
    access: textIn(path['access']) ?? 'unknown',
    notes: [
      ...(path['inside'] === false ? ['OUTSIDE PROJECT'] : []),
      ...(path['linkLeavesProject'] === true ? ['a link that leaves the project'] : []),
      ...(path['recursive'] === true ? ['and all below it'] : []),
      ...(path['exists'] === false ? ['new'] : []),
      ...(real === null ? ['cannot be resolved'] : []),
      ...NOTED.flatMap((name) => textIn(path[name]) ?? []),
    ],
  };
}

function hostOf(host: Json): string {
  const name = textIn(host['host']) ?? 'a host that is not known before it runs';
  const port = host['port'];
  return `${textIn(host['scheme']) ?? '?'}://${name}${typeof port === 'number' ? `:${port}` : ''}`;
}
