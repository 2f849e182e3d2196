import { ProviderError } from '@wrongstack/contracts';
import { approverLines, declinedCard, denialCard, parkedLine } from './denial-lines.js';
import { errorFacts, errorLines, nearestName, retryLine } from './error-lines.js';
import { formatBytes, formatCost, formatCount, formatDuration, formatTokens, shortenHome } from './format.js';
import { lineText } from './lines.js';
import { decidedAgainLine, sessionTable, taskDoneLine, taskTable } from './list-lines.js';
import { MarkdownStream } from './markdown.js';
import { diagExitCode, diagLines, explainLines, type DiagLine } from './report-lines.js';
import {
  bannerLines,
  NO_POLICY,
  policyChangeLines,
  statusLine,
  tasksLine,
  type SessionStatus,
} from './status-lines.js';
import {
  DENIED,
  lookFor,
  NOW,
  SOFT_FLOOR,
  texts,
  commandFacts,
  decision,
  facts,
  simpleCommand,
} from './testing/fixtures.js';

const look = lookFor();
const narrow = lookFor({ columns: 41 });
const ascii = lookFor({ unicode: false });
const PAYMENTS = { ...NO_POLICY, id: 'payments', revision: 42, state: 'fresh' } as const;

describe('a denial', () => {
  it('names the rule, what it matched, why, what instead, and how to ask', () => {
    expect(texts(denialCard('bash', 'cd x && sudo kubectl drain n1', DENIED, look))).toEqual([
      '⊘ bash denied · nothing ran',
      '  cd x && sudo kubectl drain n1',
      '  rule     no-prod-kube (team payments r42) on: kubectl drain n1',
      '  because  Production cluster changes go through the pipeline',
      '  instead  open a deploy request',
      '  /policy ask d-7f3a "reason"  asks for an exception',
    ]);
  });

  it('is said in words in plain mode', () => {
    const plain = lookFor({ plain: true, unicode: false });
    expect(texts(denialCard('bash', 'x', DENIED, plain))[0]).toBe('denied: bash denied, nothing ran');
  });

  it('by a person does not look like a failure', () => {
    expect(texts(declinedCard('bash', 'npm test', null, look))).toEqual([
      '⊘ bash declined · nothing ran',
      '  npm test',
      '  because  you said no',
    ]);
  });
});

describe('waiting for others', () => {
  it('shows how far it is and whom it asks', () => {
    const wait = {
      tool: 'edit',
      subject: 'infra/main.tf',
      approval: 'ap-91c2',
      need: 2,
      have: 1,
      by: ['mira'],
      rule: 'infra-two-people',
      asked: ['platform-oncall'],
      sinceMs: NOW - 3 * 60_000,
      expiresAt: new Date(2026, 10, 30, 14, 40).getTime(),
    };
    expect(texts(approverLines(wait, NOW, look))).toEqual([
      '⏸ edit infra/main.tf · 1 of 2 yes (mira) · 3 min · expires 14:40',
      '  rule infra-two-people · asked platform-oncall · ap-91c2 · Esc withdraws',
    ]);
    expect(lineText(parkedLine('edit', 'ap-91c2', look))).toBe(
      '⏸ edit waits for others (ap-91c2) · nothing ran',
    );
  });
});

describe('the status line', () => {
  const status: SessionStatus = {
    mode: 'default',
    yolo: false,
    policy: PAYMENTS,
    model: 'sonnet-4-5',
    context: 0.12,
    costUsd: 0.04,
  };

  it.each([
    [81, '  default · payments r42 fresh · sonnet-4-5 · ctx 12% · $0.04   ?'],
    [62, '  default · payments r42 fresh · sonnet-4-5 · ctx 12%   ?'],
    [50, '  default · payments r42 fresh · sonnet-4-5   ?'],
    [41, '  default · payments r42 fresh   ?'],
    [32, '  default · payments r42 fresh'],
  ])('at %d columns', (columns, expected) => {
    expect(lineText(statusLine(status, lookFor({ columns })))).toBe(expected);
  });

  it.each([
    [120, '  default · payments r42 fresh · own mine r1, +1 · sonnet-4-5 · ctx 12% · $0.04   ?'],
    [62, '  default · payments r42 fresh · own mine r1, +1   ?'],
    [41, '  default · payments r42 fresh   ?'],
  ])('names the own policies after the central one, at %d columns', (columns, expected) => {
    const policy = { ...PAYMENTS, own: ['mine r1', 'shop r3'] };
    expect(lineText(statusLine({ ...status, policy }, lookFor({ columns })))).toBe(expected);
  });

  it('says that a policy file is broken, whatever else is in force', () => {
    const row = statusLine({ ...status, policy: { ...PAYMENTS, broken: 'policy.yaml' } }, look);
    expect(lineText(row)).toContain('default · policy BROKEN: policy.yaml, every call denied');
    expect(row).toContainEqual(expect.objectContaining({ tone: 'denied' }));
  });

  it('shows YOLO reversed and in capitals', () => {
    const row = statusLine({ ...status, yolo: true }, look);
    expect(row[1]).toEqual({ text: 'YOLO', tone: 'loud' });
    expect(lineText(statusLine({ ...status, policy: NO_POLICY, mode: 'plan' }, look))).toContain(
      '  plan · no central policy',
    );
  });

  it('starts with a banner', () => {
    const facts = {
      version: '1.0',
      folder: '/home/me/pay',
      branch: 'main',
      policy: PAYMENTS,
      yoloLocked: true,
      ignoredKeys: 2,
    };
    expect(texts(bannerLines(facts, look))).toEqual([
      'wstack 1.0 · ~/pay (main) · policy payments r42, fresh · yolo locked',
      "ignored from this repository's config: 2 keys (/config)",
    ]);
    const bare = { ...facts, branch: null, policy: NO_POLICY, yoloLocked: false, ignoredKeys: 0 };
    expect(texts(bannerLines(bare, look))).toEqual(['wstack 1.0 · ~/pay · no central policy']);
    const own = { ...bare, policy: { ...NO_POLICY, own: ['mine r1', 'shop r3'] } };
    expect(texts(bannerLines(own, look))).toEqual([
      'wstack 1.0 · ~/pay · no central policy · own mine r1, shop r3',
    ]);
  });
});

describe('a change of the policy state', () => {
  it.each([
    [
      { ...PAYMENTS, state: 'stale', ageSeconds: 10_800, expiresInSeconds: 75_600 },
      '! policy stale: server unreachable 3 h · r42 enforced · expires in 21 h',
    ],
    [
      { ...PAYMENTS, state: 'expired' },
      '! policy EXPIRED: dangerous capabilities denied · wstack policy pull',
    ],
    [
      { ...NO_POLICY, state: 'undetermined' },
      '! policy UNDETERMINED: never received · dangerous denied, safe unchanged, rest asks',
    ],
  ] as const)('%#', (policy, expected) => {
    expect(texts(policyChangeLines(policy, lookFor({ columns: 121 })))).toEqual([expected]);
  });
});

describe('errors', () => {
  it('of the model say what happens next', () => {
    expect(lineText(retryLine({ attempt: 3, of: 6, waitMs: 4_000, status: 429, reason: '' }, look))).toBe(
      '! model busy (429) · try 3 of 6 in 4 s · Esc gives up',
    );
    const reason = 'model unreachable: 127.0.0.1:4010 refused';
    expect(lineText(retryLine({ attempt: 2, of: 6, waitMs: 900, status: null, reason }, look))).toBe(
      '! model unreachable: 127.0.0.1:4010 refused · try 2 of 6 in 1 s · Esc gives up',
    );
    expect(lineText(retryLine({ attempt: 2, of: 6, waitMs: 900, status: 503, reason: '' }, ascii))).toBe(
      '! model unavailable (503), try 2 of 6 in 1 s, Esc gives up',
    );
  });

  it('are one message and a hint, without a stack', () => {
    const error = new ProviderError('provider.auth', 'key refused\n(401)', {
      retryable: false,
      hint: 'check KEY',
    });
    expect(errorFacts(error)).toEqual({
      code: 'provider.auth',
      message: 'key refused (401)',
      hint: 'check KEY',
    });
    expect(texts(errorLines(errorFacts(new Error('\x1b[31mbad')), look))).toEqual(['✗ \\u001b[31mbad']);
  });
});

describe('a mistyped name', () => {
  it('has a nearest one where it is close enough to be meant', () => {
    expect(nearestName('--outptu', ['--output', '--resume'])).toBe('--output');
    expect(nearestName('frobnicate', ['run', 'demo'])).toBeNull();
  });
});

describe('lists', () => {
  it('of tasks', () => {
    const rows = [
      {
        id: 't-4k',
        state: 'running',
        exitCode: null,
        tool: 'bash',
        ageMs: 72_000,
        outputBytes: 98_304,
        command: 'npm run build',
      },
      {
        id: 't-9p',
        state: 'failed',
        exitCode: 1,
        tool: 'bash',
        ageMs: 480_000,
        outputBytes: 4_096,
        command: 'npm test',
      },
      {
        id: 't-1x',
        state: 'lost',
        exitCode: null,
        tool: 'exec',
        ageMs: 7_200_000,
        outputBytes: 1_024,
        command: 'sleep 9999',
      },
    ];
    expect(texts(taskTable(rows, look))).toEqual([
      'ID    STATE     TOOL  AGE    OUT    COMMAND',
      't-4k  running   bash  1m12s  96 KB  npm run build',
      't-9p  failed:1  bash  8m     4 KB   npm test',
      't-1x  lost      exec  2h     1 KB   sleep 9999',
    ]);
    expect(
      lineText(
        taskDoneLine(
          { id: 't-4k', command: 'npm run build', exitCode: 0, state: 'completed' },
          ['2m03s', '4,812 lines'],
          look,
        ),
      ),
    ).toBe('✓ task t-4k npm run build · exit 0 · 2m03s · 4,812 lines');
    const long = { id: 't-4kzzyyxx', command: 'npm run build && npm run more', exitCode: 1, state: 'failed' };
    expect(lineText(taskDoneLine(long, ['2m03s'], narrow))).toBe('✗ task t-4kzz npm run … · exit 1 · 2m03s');
  });

  it('of tasks above the prompt', () => {
    const task = {
      id: 't-4k',
      title: 'build',
      state: 'running',
      exitCode: null,
      startedAt: NOW - 72_000,
      endedAt: null,
    };
    const failed = { id: 't-9p', title: 'test', state: 'failed', exitCode: 1, startedAt: NOW, endedAt: NOW };
    expect(lineText(tasksLine([task, failed], NOW, look) ?? [])).toBe(
      '  tasks: t-4k build 1m12s · t-9p test ✗ exit 1      /tasks',
    );
    expect(tasksLine([], NOW, look)).toBeNull();
    const [one, two] = ['t-4kaaaaaaaa', 't-4kaabbbbbb'].map((id) => ({
      ...task,
      id,
      title: 'npm run build -- --mode=production',
    }));
    expect(lineText(tasksLine([one ?? task, two ?? task], NOW, lookFor({ columns: 121 })) ?? [])).toBe(
      '  tasks: t-4kaaa npm run build -- --mode=pro… 1m12s · t-4kaab npm run build -- --mode=pro… 1m12s      /tasks',
    );
  });

  it('of sessions, aligned whatever the language, clipped at the end', () => {
    const session = {
      startedAt: '',
      projectRoot: '/p',
      branch: 'main',
      calls: 6,
      denials: 1,
      state: 'ended',
    } as const;
    const rows = [
      {
        ...session,
        id: 's-20f1',
        updatedAt: new Date(NOW - 7_200_000).toISOString(),
        preview: 'fix the sign\nin add, and more than fits',
      },
      { ...session, id: 's-9', updatedAt: new Date(NOW).toISOString(), branch: '日本', preview: '直す' },
    ] as unknown as Parameters<typeof sessionTable>[0];
    expect(texts(sessionTable(rows, NOW, lookFor({ columns: 61 })))).toEqual([
      'SESSION  AGE  BRANCH  CALLS  DENIED  STATE  PREVIEW',
      's-20f1    2h  main        6       1  ended  fix the sign in…',
      's-9       0s  日本        6       1  ended  直す',
    ]);
    expect(lineText(decidedAgainLine('edit', 43, look))).toBe('! pending edit decided again under r43');
  });
});

describe('reports', () => {
  it('explain a decision', () => {
    const command = simpleCommand('kubectl', 'drain', 'n1');
    const explained = {
      ...DENIED,
      floors: [
        { kind: 'hard', verdict: 'deny', source: DENIED.by, reason: 'rule no-prod-kube', loweredBy: null },
        SOFT_FLOOR,
      ],
      facts: facts({ command: commandFacts('x', [{ ...command, through: ['sudo'] }]) }),
    } as typeof DENIED;
    expect(
      texts(explainLines(explained, ['routine-checks: tool is not test, lint, typecheck'], look)),
    ).toEqual([
      'DENY · rule no-prod-kube · 24 µs',
      '  deny     rule no-prod-kube  team payments r42  hard',
      '  confirm  tool bash                             soft  not lowered',
      'because   Production cluster changes go through the pipeline',
      'instead   open a deploy request',
      'facts     kubectl drain n1 (through sudo) · shell.arbitrary · standard',
      'policy    payments r42 fresh · facts sha256:9f2cabcdef01…',
      'no match  routine-checks: tool is not test, lint, typecheck',
    ]);
    expect(lineText(explainLines(decision(), [], ascii)[0] ?? [])).toBe('CONFIRM, tool bash, 24 us');
  });

  it('diagnose, and fail when a check fails', () => {
    const rows: DiagLine[] = [
      { level: 'ok', subject: 'key', text: 'anthropic, from ANTHROPIC_API_KEY' },
      { level: 'warn', subject: 'policy', text: 'stale 3 h', next: 'wstack policy pull' },
      {
        level: 'fail',
        subject: 'trust',
        text: 'trust.json:4 bad JSON; kept; its grants off',
        next: 'fix it',
      },
    ];
    expect(texts(diagLines(rows, look))).toEqual([
      'ok    key     anthropic, from ANTHROPIC_API_KEY',
      'warn  policy  stale 3 h → wstack policy pull',
      'fail  trust   trust.json:4 bad JSON; kept; its grants off → fix it',
    ]);
    expect([diagExitCode(rows), diagExitCode(rows.slice(0, 2))]).toEqual([1, 0]);
  });
});

describe('assistant text', () => {
  const render = (text: string, at = look): string[] => {
    const stream = new MarkdownStream();
    return texts([...stream.push(text, at), ...stream.end(at)]);
  };

  it('is rendered a line at a time, however it is cut', () => {
    const text = '# Plan\n- **read** `a**b**`\n\n```ts\nconst a = **1**;\n```\ndone';
    const whole = render(text);
    expect(whole).toEqual(['Plan', '- read `a**b**`', '', '```ts', 'const a = **1**;', '```', 'done']);
    for (let cut = 1; cut < text.length; cut += 1) {
      const stream = new MarkdownStream();
      const rows = [
        ...stream.push(text.slice(0, cut), look),
        ...stream.push(text.slice(cut), look),
        ...stream.end(look),
      ];
      expect(texts(rows)).toEqual(whole);
    }
  });

  it('hangs list items and shows escapes', () => {
    expect(render('- one two three four five six seven \x1b[2J', narrow)).toEqual([
      '- one two three four five six seven',
      '  \\u001b[2J',
    ]);
  });

  it('keeps its marks where there is no bold', () => {
    expect(render('**a**', lookFor({ plain: true }))).toEqual(['**a**']);
  });
});

describe('numbers', () => {
  it.each([
    [formatDuration(4), '4 ms'],
    [formatDuration(7_140), '7.1 s'],
    [formatDuration(42_900), '42 s'],
    [formatDuration(123_000), '2m03s'],
    [formatTokens(18_240), '18.2k'],
    [formatTokens(999), '999'],
    [formatCost(0.04), '$0.04'],
    [formatCost(0.001), '<$0.01'],
    [formatBytes(98_304), '96 KB'],
    [formatCount(4_812), '4,812'],
    [shortenHome('/home/me/pay', '/home/me'), '~/pay'],
    [shortenHome('/home/meadow', '/home/me'), '/home/meadow'],
  ])('%#: %s', (actual, expected) => {
    expect(actual).toBe(expected);
  });
});
