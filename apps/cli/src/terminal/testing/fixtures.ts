import {
  type ApprovalRequest,
  type Decision,
  type EventMap,
  type EventName,
  type Facts,
  type FloorRecord,
  NOBODY,
  type PathFact,
  type SimpleCommand,
} from '@wrongstack/contracts';
import type { TerminalCaps } from '../caps.js';
import { lineText, type Line } from '../lines.js';
import type { TerminalEvent } from '../event-source.js';
import { createTheme, lookOf, type Look } from '../theme.js';

/** Data that the specs of this folder share: one project at /home/me/pay, one policy, one agent. */

export const CAPS: TerminalCaps = {
  tty: true,
  color: true,
  unicode: true,
  plain: false,
  columns: 81,
  rows: 24,
};

export function lookFor(over: Partial<TerminalCaps> = {}): Look {
  const caps = { ...CAPS, ...over };
  return lookOf(caps, createTheme(caps), '/home/me');
}

export function texts(lines: readonly Line[]): string[] {
  return lines.map(lineText);
}

export function simpleCommand(...argv: string[]): SimpleCommand {
  return {
    argv,
    text: argv.join(' '),
    traits: [],
    through: [],
    wrapper: 'none',
    inner: [],
    risk: 'ordinary',
    riskReason: null,
    readOnly: false,
    nestedWstack: false,
  };
}

export function pathFact(over: Partial<PathFact>): PathFact {
  return {
    claimed: 'build',
    real: '/home/me/pay/build',
    access: 'write',
    inside: true,
    relative: 'build',
    exists: true,
    linkLeavesProject: false,
    scratch: false,
    protected: null,
    credential: null,
    agentOwn: false,
    device: false,
    command: null,
    ...over,
  };
}

export function commandFacts(text: string, commands: readonly SimpleCommand[] = []): Facts['command'] {
  return { text, commands, unparsed: false, unparsedReason: null };
}

export function facts(over: Partial<Facts> = {}): Facts {
  return {
    tool: 'bash',
    owner: 'core',
    definitionDigest: 'd',
    claimsTrusted: true,
    permission: 'confirm',
    mutating: true,
    declared: ['shell.arbitrary'],
    effective: [{ name: 'shell.arbitrary', declared: true, carriedBy: 'all' }],
    riskTier: 'standard',
    callRisk: 'standard',
    riskReasons: [],
    paths: [],
    command: commandFacts('npm test && npm run lint'),
    hosts: [],
    mcp: null,
    actor: NOBODY,
    session: { mode: 'default', interactive: true, yolo: false, sandboxed: false, remoteApprovals: false },
    project: '/home/me/pay',
    cwd: '/home/me/pay',
    background: false,
    now: '2026-11-30T14:02:00.000Z',
    ...over,
  };
}

export const SOFT_FLOOR: FloorRecord = {
  kind: 'soft',
  verdict: 'confirm',
  source: { kind: 'tool', id: 'bash' },
  reason: 'tool bash needs confirmation',
  loweredBy: null,
};

export function acknowledged(id: string, reason: string): FloorRecord {
  return { kind: 'acknowledged', verdict: 'confirm', source: { kind: 'floor', id }, reason, loweredBy: null };
}

export function decision(over: Partial<Decision> = {}): Decision {
  return {
    id: 'd-7f3a' as Decision['id'],
    verdict: 'confirm',
    demanded: 'confirm',
    by: { kind: 'tool', id: 'bash' },
    because: 'tool bash needs confirmation',
    instead: null,
    floors: [SOFT_FLOOR],
    matches: [],
    obligations: [],
    approvers: null,
    trustOffer: {
      offered: true,
      subjects: [
        { kind: 'command', words: ['npm', 'test'] },
        { kind: 'command', words: ['npm', 'run', 'lint'] },
      ],
      // A local time, as people see it.
      expiresAt: new Date(2026, 11, 7, 14, 2).toISOString(),
    },
    facts: facts(),
    factsDigest: '9f2cabcdef0123456789',
    approvalDigest: 'a',
    policy: { id: 'payments', revision: 42, state: 'fresh' },
    micros: 24.4,
    ...over,
  };
}

/** 168 hours before the offer of {@link decision} expires. */
export const NOW = new Date(2026, 10, 30, 14, 2).getTime();

export const DESTRUCTIVE = decision({
  facts: facts({
    callRisk: 'destructive',
    riskReasons: ['rm -rf'],
    command: commandFacts('npm test && rm -rf build ../shared', [
      simpleCommand('npm', 'test'),
      simpleCommand('rm', '-rf', 'build', '../shared'),
    ]),
    paths: [
      pathFact({ command: 1 }),
      pathFact({ claimed: '../shared', real: '/home/me/shared', inside: false, relative: null, command: 1 }),
    ],
  }),
  floors: [
    SOFT_FLOOR,
    acknowledged('destructive', 'destructive: rm -rf'),
    acknowledged('outside-project', 'outside-project: ~/shared'),
  ],
  trustOffer: { offered: false, reason: 'destructive is once only' },
});

export const DENIED = decision({
  verdict: 'deny',
  demanded: 'deny',
  by: { kind: 'rule', id: 'no-prod-kube', tier: 'team', document: 'payments', revision: 42 },
  because: 'Production cluster changes go through the pipeline',
  instead: 'open a deploy request',
  matches: [
    {
      id: 'no-prod-kube',
      effect: 'deny',
      tier: 'team',
      document: 'payments',
      revision: 42,
      because: 'Production cluster changes go through the pipeline',
      applied: true,
      on: 'kubectl drain n1',
    },
  ],
});

export function request(of: Decision, over: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const call = {
    id: 'c-1',
    tool: { name: of.facts.tool },
    cwd: '/home/me/pay',
    projectRoot: '/home/me/pay',
    input: {},
  };
  return {
    id: 'ap-1' as ApprovalRequest['id'],
    // The question reads the tool's name and the folder of a call; the rest is the executor's.
    call: call as unknown as ApprovalRequest['call'],
    decision: of,
    view: {
      card: 'terminal',
      title: of.facts.command === 'unknown' || of.facts.command === null ? '' : of.facts.command.text,
    },
    approvers: null,
    ...over,
  };
}

type Fields<Name extends EventName> = Omit<EventMap[Name], 'session' | 'run' | 'agent'>;

/** An event of the person's own agent. Ids are plain strings here. */
export function event<Name extends TerminalEvent['name']>(
  name: Name,
  fields: { readonly [Key in keyof Fields<Name>]?: unknown },
): TerminalEvent {
  return {
    name,
    payload: { session: 's-20f1', run: 'r-1', agent: 'main', ...fields },
  } as unknown as TerminalEvent;
}

export function executed(call: string, name: string, over: Record<string, unknown> = {}): TerminalEvent {
  return event('tool.executed', {
    call,
    name,
    input: {},
    status: 'ok',
    isError: false,
    durationMs: 4,
    result: { content: [{ type: 'text', text: 'fine' }], isError: false },
    truncated: false,
    spill: null,
    exitCode: null,
    files: [],
    ...over,
  });
}
