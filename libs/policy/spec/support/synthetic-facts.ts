import {
  type ActorFacts,
  type CommandFacts,
  type EffectiveCapability,
  type Facts,
  type HostFact,
  NOBODY,
  type PathFact,
  type SessionFacts,
  type SimpleCommand,
} from '@wrongstack/contracts';

/** Facts for specs: a harmless call by the person's own agent, with what a case is about laid over it. */
export interface FactsOverrides extends Partial<
  Omit<Facts, 'actor' | 'session' | 'paths' | 'hosts' | 'command'>
> {
  /** null: a caller that says nothing about who it is, which the types forbid. */
  readonly actor?: Partial<ActorFacts> | null;
  readonly session?: Partial<SessionFacts>;
  readonly paths?: readonly PathOverrides[] | 'unknown';
  readonly hosts?: readonly HostFact[] | 'unknown';
  readonly command?: readonly CommandOverrides[] | CommandFacts | null | 'unknown';
  readonly unparsed?: boolean;
}

export type PathOverrides = Partial<PathFact> & { readonly claimed: string | null };
export type CommandOverrides = Partial<SimpleCommand> & { readonly argv: readonly (string | null)[] };

export const PROJECT = '/work/shop';
export const HOME = '/home/ada';

export const PLAIN_SESSION: SessionFacts = {
  mode: 'default',
  interactive: true,
  yolo: false,
  sandboxed: false,
  remoteApprovals: false,
};

export function syntheticFacts(overrides: FactsOverrides = {}): Facts {
  const { actor, session, paths = [], hosts = [], command = null, unparsed = false, ...rest } = overrides;
  const pathFacts = paths === 'unknown' ? paths : paths.map(pathFact);
  const declared = rest.declared ?? [];
  const callRisk = rest.callRisk ?? 'standard';
  return {
    tool: 'note',
    owner: 'core',
    definitionDigest: 'sha256:note',
    claimsTrusted: true,
    permission: 'auto',
    mutating: false,
    declared,
    riskTier: callRisk,
    callRisk,
    riskReasons: [],
    mcp: null,
    project: PROJECT,
    cwd: PROJECT,
    background: false,
    now: '2026-03-04T12:00:00.000Z',
    ...rest,
    effective: rest.effective ?? effectiveOf(declared, pathFacts, hosts),
    paths: pathFacts,
    hosts,
    command: isList(command) ? commandFacts(command, unparsed) : command,
    actor: actor === null ? (null as unknown as ActorFacts) : { ...NOBODY, ...actor },
    session: { ...PLAIN_SESSION, ...session },
  };
}

function isList(command: FactsOverrides['command']): command is readonly CommandOverrides[] {
  return Array.isArray(command);
}

export function pathFact(overrides: PathOverrides): PathFact {
  const { claimed } = overrides;
  const absolute = claimed === null ? null : claimed.startsWith('/') ? claimed : `${PROJECT}/${claimed}`;
  const real = overrides.real === undefined ? absolute : overrides.real;
  const inside = real !== null && (real === PROJECT || real.startsWith(`${PROJECT}/`));
  return {
    real,
    access: 'read',
    inside,
    relative: inside ? real.slice(PROJECT.length + 1) : null,
    exists: true,
    linkLeavesProject: false,
    scratch: false,
    protected: null,
    credential: null,
    agentOwn: false,
    device: false,
    command: null,
    ...overrides,
  };
}

export function hostFact(host: string | null, overrides: Partial<HostFact> = {}): HostFact {
  return { scheme: 'https', host, port: 443, command: null, ...overrides };
}

export function commandFacts(commands: readonly CommandOverrides[], unparsed: boolean): CommandFacts {
  const simple = commands.map((command): SimpleCommand => ({
    text: command.argv.map((word) => word ?? '$X').join(' '),
    traits: [],
    through: [],
    wrapper: 'none',
    inner: [],
    risk: 'ordinary',
    riskReason: null,
    readOnly: false,
    nestedWstack: false,
    ...command,
  }));
  return {
    text: simple.map(({ text }) => text).join('; '),
    commands: simple,
    unparsed,
    unparsedReason: unparsed ? 'syntax error' : null,
  };
}

function effectiveOf(
  declared: readonly string[],
  paths: readonly PathFact[] | 'unknown',
  hosts: readonly HostFact[] | 'unknown',
): readonly EffectiveCapability[] {
  const carried = new Map<string, number[] | 'all'>();
  const imply = (name: string, command: number | null): void => {
    const known = carried.get(name);
    if (command === null || known === 'all') carried.set(name, 'all');
    else if (known?.includes(command) !== true) carried.set(name, [...(known ?? []), command]);
  };
  for (const path of paths === 'unknown' ? [] : paths) {
    if (path.access === 'read') imply('fs.read', path.command);
    else imply(path.inside ? 'fs.write' : 'fs.write.outside-project', path.command);
  }
  for (const host of hosts === 'unknown' ? [] : hosts) imply('net.outbound', host.command);
  for (const name of declared.length > 0 ? declared : ['unknown']) carried.set(name, 'all');
  return [...carried].map(([name, carriedBy]) => ({ name, declared: declared.includes(name), carriedBy }));
}
