import type { RiskTier, ToolPermission, Verdict } from '@wrongstack/contracts';
import { syntheticFacts, type FactsOverrides } from '../../spec/support/synthetic-facts.js';
import {
  policyContext,
  policyDocument,
  trustEntry,
  type ContextOverrides,
} from '../../spec/support/synthetic-policies.js';
import { decide } from './decide.js';

const SHELL: FactsOverrides = { declared: ['shell.restricted'], definitionDigest: 'sha256:note' };
const allow = policyDocument({
  tier: 'org',
  rules: [{ effect: 'allow', when: { command: { argv: ['do'] } } }],
});
const acknowledge = policyDocument({
  tier: 'org',
  rules: [{ effect: 'allow', acknowledgeDestructive: true, when: { command: { argv: ['do'] } } }],
});
const managedConfirm = policyDocument({ tier: 'org', rules: [{ effect: 'confirm' }] });
const trust = [trustEntry({ subject: { kind: 'command', words: ['do', 'it'] } })];
const yolo = { yolo: true };

interface Column {
  readonly name: string;
  readonly context: ContextOverrides;
  readonly session?: FactsOverrides['session'];
}

const COLUMNS: readonly Column[] = [
  { name: 'plain', context: {} },
  { name: 'YOLO', context: {}, session: yolo },
  { name: 'trust grant', context: { trust } },
  { name: 'policy allow', context: { documents: [allow] } },
  { name: 'policy allow that acknowledges', context: { documents: [acknowledge] } },
  { name: 'managed confirm with YOLO', context: { documents: [managedConfirm] }, session: yolo },
  { name: 'managed confirm with trust', context: { documents: [managedConfirm], trust } },
  { name: 'headless', context: {}, session: { interactive: false } },
  { name: 'headless YOLO', context: {}, session: { interactive: false, ...yolo } },
];

const prompt = 'confirm';
const ROWS: readonly [ToolPermission, readonly RiskTier[], readonly Verdict[]][] = [
  [
    'auto',
    ['safe', 'standard'],
    ['allow', 'allow', 'allow', 'allow', 'allow', prompt, prompt, 'allow', 'allow'],
  ],
  ['auto', ['destructive'], [prompt, prompt, prompt, prompt, 'allow', prompt, prompt, 'deny', 'deny']],
  [
    'confirm',
    ['safe', 'standard'],
    [prompt, 'allow', 'allow', 'allow', 'allow', prompt, prompt, 'deny', 'allow'],
  ],
  ['confirm', ['destructive'], [prompt, prompt, prompt, prompt, 'allow', prompt, prompt, 'deny', 'deny']],
  ['deny', ['safe', 'standard', 'destructive'], COLUMNS.map(() => 'deny' as const)],
];

const cells = ROWS.flatMap(([permission, risks, verdicts]) =>
  risks.flatMap((callRisk) =>
    COLUMNS.map((column, index) => ({ permission, callRisk, column, expected: verdicts[index] })),
  ),
);

describe('the truth table', () => {
  it.each(cells)(
    '$permission / $callRisk, $column.name: $expected',
    ({ permission, callRisk, column, expected }) => {
      const risk = callRisk === 'destructive' ? 'destructive' : 'ordinary';
      const facts = syntheticFacts({
        ...SHELL,
        permission,
        callRisk,
        command: [{ argv: ['do', 'it'], risk }],
        session: column.session,
      });
      expect(decide(facts, policyContext(column.context), []).verdict).toBe(expected);
    },
  );

  it('prompts for a locked YOLO as if it were off', () => {
    const facts = syntheticFacts({ ...SHELL, permission: 'confirm', session: yolo });
    const locked = policyDocument({ tier: 'org', locks: { yolo: 'off' } });
    expect(decide(facts, policyContext({ documents: [locked] }), []).verdict).toBe('confirm');
  });
});
