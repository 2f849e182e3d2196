import { questionView } from './question-lines.js';
import {
  commandFacts,
  decision,
  DESTRUCTIVE,
  facts,
  lookFor,
  NOW,
  pathFact,
  request,
  SOFT_FLOOR,
  texts,
} from './testing/fixtures.js';

function shown(of: Parameters<typeof request>[0], look = lookFor(), over = {}): string[] {
  const view = questionView(request(of, over), look, NOW);
  return texts([view.head, ...view.body, ...view.answers]);
}

describe('the question of a standard command', () => {
  it('shows the command, every reason, and exactly what always would store', () => {
    expect(shown(decision())).toEqual([
      '? bash asks · standard',
      '  npm test && npm run lint',
      '  in       ~/pay',
      '  why      tool bash needs confirmation (soft floor)',
      '  y  once        n  no        e  no, and say why',
      '  a  always   bash "npm test", bash "npm run lint"',
      '              exact, this project, until 7 Dec 14:02 (168 h)',
      '  v  never    same two, until `wstack trust revoke`',
    ]);
  });

  it('says which subagent asks', () => {
    const of = decision();
    const actor = { ...of.facts.actor, subagentDepth: 1, subagent: 'scout', parent: of.facts.actor };
    const asked = { ...of, facts: { ...of.facts, actor } };
    expect(shown(asked)[0]).toBe('? scout: bash asks · standard');
    expect(shown(asked, lookFor({ plain: true }))[0]).toBe('asks: scout: bash · standard');
  });

  it('says in one line why always is not offered', () => {
    const lines = shown(
      decision({ trustOffer: { offered: false, reason: 'grants are locked by payments r42' } }),
    );
    expect(lines.slice(3)).toEqual([
      '  why      tool bash needs confirmation (soft floor)',
      '  always   not offered: grants are locked by payments r42',
      '  y  once        n  no        e  no, and say why',
    ]);
  });

  it('marks a pattern as one, and quotes words with blanks', () => {
    const subjects = [{ kind: 'command', words: ['grep', 'a b', '*'] }] as const;
    const lines = shown(
      decision({
        trustOffer: { offered: true, subjects, expiresAt: new Date(NOW + 3_600_000).toISOString() },
      }),
    );
    expect(lines[5]).toBe(`  a  always   bash "grep 'a b' *"`);
    expect(lines[6]).toMatch(/^ {14}pattern, this project, until .* \(1 h\)$/);
    expect(lines[7]).toBe('  v  never    same one, until `wstack trust revoke`');
  });

  it('wraps and never cuts where it is narrow', () => {
    expect(shown(decision(), lookFor({ columns: 41 }))).toEqual([
      '? bash asks · standard',
      '  npm test && npm run lint',
      '  in       ~/pay',
      '  why      tool bash needs confirmation',
      '           (soft floor)',
      '  y  once        n  no        e  no, and',
      '  say why',
      '  a  always   bash "npm test", bash "npm',
      '              run lint"',
      '              exact, this project, until',
      '              7 Dec 14:02 (168 h)',
      '  v  never    same two, until `wstack',
      '              trust revoke`',
    ]);
  });
});

describe('the question of a destructive command', () => {
  it('names what is deleted and what lies outside, and every floor', () => {
    expect(shown(DESTRUCTIVE)).toEqual([
      '? bash asks · DESTRUCTIVE',
      '  npm test && rm -rf build ../shared',
      '  in       ~/pay',
      '  deletes  ~/pay/build',
      '           ~/shared       OUTSIDE PROJECT',
      '  why      tool bash needs confirmation (soft floor)',
      '           floor destructive: rm -rf',
      '           floor outside-project: ~/shared',
      '  always   not offered: destructive is once only',
      '  yes + Enter runs it · n no · e no, and say why',
    ]);
  });

  it('is asked in words in plain mode, with ASCII outside UTF-8', () => {
    const lines = shown(DESTRUCTIVE, lookFor({ plain: true, unicode: false }));
    expect(lines[0]).toBe('asks: bash, DESTRUCTIVE');
    expect(lines.at(-1)).toBe('  answer yes, no, or no and a reason, then Enter');
  });

  it('is never trusted, even if it were offered', () => {
    const view = questionView(request({ ...DESTRUCTIVE, trustOffer: decision().trustOffer }), lookFor(), NOW);
    expect(view.trustOffered).toBe(false);
  });
});

describe('what a question shows of adversarial input', () => {
  const asking = (text: string, over = {}): string[] =>
    shown(decision({ facts: facts({ command: commandFacts(text), ...over }) }));

  it('shows controls and hidden characters of the command that runs', () => {
    expect(asking('rm\u200b -rf x\x1b[2K\r')[1]).toBe('  rm\\u200b -rf x\\u001b[2K\\u000d');
  });

  it('keeps what padding would push out of view', () => {
    expect(asking(`ls${' '.repeat(500)}; touch x`)[1]).toBe('  ls[500 blanks]; touch x');
  });

  it('shows all of a command of many lines', () => {
    const lines = asking(Array.from({ length: 200 }, (_, index) => `echo ${index}`).join('\n'));
    expect(lines.slice(1, 201)).toEqual(Array.from({ length: 200 }, (_, index) => `  echo ${index}`));
  });

  it('says what is not known instead of leaving it out', () => {
    const lines = asking('rm $X', {
      paths: [pathFact({ claimed: null, real: null, inside: false })],
      hosts: 'unknown',
    });
    expect(lines).toContain('  writes   a path that is only known when it runs');
    expect(lines).toContain('  hosts    not known: the tool does not say where it connects');
    expect(asking('x', { paths: 'unknown' })).toContain(
      '  writes   not known: the tool does not say what it touches',
    );
  });

  it('shows the real path, protection and credentials', () => {
    const lines = asking('x', {
      paths: [
        pathFact({ claimed: 'a', real: '/etc/a', inside: false }),
        pathFact({ claimed: '.git/hooks/x', real: '/home/me/pay/.git/hooks/x', protected: 'git hooks' }),
        pathFact({
          claimed: '~/.ssh/id',
          real: '/home/me/.ssh/id',
          inside: false,
          access: 'read',
          credential: 'ssh key',
        }),
      ],
    });
    expect(lines).toContain('  writes   /etc/a                OUTSIDE PROJECT');
    expect(lines).toContain('           ~/pay/.git/hooks/x    git hooks');
    expect(lines).toContain('  reads    ~/.ssh/id    OUTSIDE PROJECT, ssh key');
  });
});

describe('the question of other tools', () => {
  const edit = (path: string, inside: boolean): Parameters<typeof request>[0] =>
    decision({
      facts: facts({
        tool: 'edit',
        command: null,
        paths: [
          pathFact({
            claimed: path,
            real: inside ? '/home/me/pay/src/calc.ts' : '/home/me/outside.ts',
            inside,
          }),
        ],
      }),
      floors: [
        { ...SOFT_FLOOR, source: { kind: 'tool', id: 'edit' }, reason: 'tool edit needs confirmation' },
      ],
      trustOffer: { offered: false, reason: 'no subject' },
    });
  const diffs = [
    { path: 'src/calc.ts', oldText: 'a\nb\nc\nd\ne\nf\n', newText: 'a\nB\nc\nd\ne\nf\n', oldStart: 1 },
  ];

  it('shows an edit as a diff with its real path', () => {
    const lines = shown(edit('src/calc.ts', true), lookFor(), {
      view: { card: 'diff', title: 'edit', diffs },
    });
    expect(lines.slice(0, 8)).toEqual([
      '? edit asks · standard',
      '  ~/pay/src/calc.ts',
      '  1    a',
      '  2  - b',
      '  2  + B',
      '  3    c',
      '  4    d',
      '  why      tool edit needs confirmation (soft floor)',
    ]);
  });

  it('marks a diff outside the project on the path and in the facts', () => {
    const lines = shown(edit('src/calc.ts', false), lookFor(), {
      view: { card: 'diff', title: 'edit', diffs },
    });
    expect(lines[1]).toBe('  ~/outside.ts  OUTSIDE PROJECT');
    expect(lines).toContain('  writes   ~/outside.ts    OUTSIDE PROJECT');
  });

  it('shows the whole input of a tool without a card of its own', () => {
    const lines = shown(
      decision({
        facts: facts({
          tool: 'post',
          command: null,
          hosts: [{ scheme: 'https', host: 'example.com', port: 443, command: null }],
        }),
      }),
      lookFor(),
      {
        view: { card: 'generic', title: 'post', rawInput: { to: 'a', body: 'b' } },
      },
    );
    expect(lines.slice(1, 7)).toEqual([
      '  post',
      '  {',
      '    "to": "a",',
      '    "body": "b"',
      '  }',
      '  hosts    example.com',
    ]);
  });

  it('shows the input of a foreign tool beside its card, which may tell a story of its own', () => {
    const of = decision({ facts: facts({ tool: 'deploy', owner: 'some-plugin', command: null }) });
    const asked = request(of, { view: { card: 'terminal', title: 'ls' } });
    const call = { ...asked.call, input: { target: 'prod', force: true } };
    expect(texts(questionView({ ...asked, call }, lookFor(), NOW).body).slice(0, 5)).toEqual([
      '  ls',
      '  {',
      '    "target": "prod",',
      '    "force": true',
      '  }',
    ]);
  });

  it('names the rule that demands it, and what lowered a floor', () => {
    const of = decision({
      floors: [
        {
          kind: 'hard',
          verdict: 'confirm',
          source: { kind: 'rule', id: 'ask-net', tier: 'org', document: 'base', revision: 3 },
          reason: 'Network calls are looked at',
          loweredBy: null,
        },
        { ...SOFT_FLOOR, loweredBy: { kind: 'user', id: 'yolo' } },
      ],
    });
    expect(shown(of)).toEqual(
      expect.arrayContaining([
        '  why      rule ask-net (org base r3): Network calls are looked at',
        '           tool bash needs confirmation (soft floor), lowered by user yolo',
      ]),
    );
  });
});
