// `node apps/console/tools/seed-store.mjs <control.db> <rows>`: a store as it is after a while, for the end-to-end tests: people with a
// token each (printed as JSON), and so many decisions. What can be done through the API in a moment, the tests do there.
import { createHash, randomBytes } from 'node:crypto';
import { openControlStore } from '@wrongstack/adapters/store';
import { canonicalJson } from '@wrongstack/contracts';
import { auditIndexOf } from '@wrongstack/contracts/control';
import { activityUntil } from './seed-activity.mjs';

const [file, rows] = process.argv.slice(2);
if (file === undefined) throw new Error('seed-store: name the file of the store');

const PEOPLE = {
  ada: { name: 'Ada Okafor', roles: ['admin', 'policyEditor', 'auditor', 'developer'], teams: ['platform'] },
  mira: { name: 'Mira Lindqvist', roles: ['approver', 'auditor'], teams: ['platform-oncall'] },
  edda: { name: 'Edda Brandt', roles: ['policyEditor'], teams: ['platform'] },
  dana: { name: 'Dana Petrov', roles: ['developer'], teams: ['payments'] },
  otto: { name: 'Otto Weiss', roles: ['approver'], teams: [] },
};
const BATCH = 5_000;
/** The newest have all that a decision has; the many below them only what a list shows. */
const FULL = 2_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const now = Date.now();
const at = new Date(now).toISOString();

async function addPerson(id, { name, roles, teams }) {
  const email = `${id}@example.com`;
  await store.identities.addUser({
    id,
    name,
    email,
    subject: null,
    teams,
    roles,
    createdAt: at,
    disabledAt: null,
  });
  const tokenId = randomBytes(10).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  await store.tokens.add({
    ...{
      id: tokenId,
      kind: 'api',
      name: 'laptop',
      secretHash: sha256(secret),
      principal: { id, kind: 'user' },
    },
    ...{
      teams: [],
      roles: [],
      scopes: ['*'],
      createdBy: id,
      createdAt: at,
      revokedAt: null,
      lastUsedAt: null,
    },
    expiresAt: new Date(now + 24 * 60 * MINUTE_MS).toISOString(),
  });
  return `wst_${tokenId}_${secret}`;
}

async function addDecisions(count) {
  const source = 'agent-of-dana/a-seeded';
  let prev = null;
  for (let first = 0; first < count; first += BATCH) {
    const records = [];
    for (let seq = first; seq < Math.min(count, first + BATCH); seq += 1) {
      const entry = (count - seq > FULL ? slim : decision)(
        seq,
        new Date(momentOf(count - seq)).toISOString(),
      );
      const hash = `sha256:${sha256(`${prev ?? ''}${canonicalJson(entry)}`)}`;
      const who = CALLERS[seq % CALLERS.length];
      records.push({
        seq,
        prev,
        hash,
        index: auditIndexOf(entry, { ...who, agent: 'agent-of-dana' }),
        entry,
      });
      prev = hash;
    }
    await store.audit.append({ source, records }, at);
  }
}

/** Four a minute on the average, more by day than by night: the newest but so many. */
function momentOf(before) {
  const even = now - before * (MINUTE_MS / 4);
  const turn = DAY_MS / (2 * Math.PI);
  return Math.round(even + 0.6 * turn * (Math.sin(even / turn) - Math.sin(now / turn)));
}

const CALLERS = [
  { actor: 'dana', team: 'payments' },
  { actor: 'ada', team: 'platform' },
  { actor: 'dana', team: 'payments' },
  { actor: 'edda', team: 'platform' },
];

/** tool, command or file, verdict, rule, because. */
const KINDS = [
  ['bash', 'npm test', 'allow', 'routine-checks', 'Tests and type checks run freely'],
  ['read', 'src/charge.ts', 'allow', null, 'the tool allows it'],
  ['edit', 'src/charge.ts', 'allow', 'own-project', 'Edits inside the project'],
  ['bash', 'git status', 'allow', 'routine-checks', 'Tests and type checks run freely'],
  [
    'bash',
    'sudo kubectl drain n1',
    'deny',
    'no-prod-kube',
    'Production cluster changes go through the pipeline',
  ],
  ['read', '.env', 'deny', 'no-secrets', 'Keys of production are read by nobody'],
  ['grep', 'TODO', 'allow', null, 'the tool allows it'],
  ['bash', 'npm publish', 'confirm', 'ask-before-publish', 'Publishing is asked for'],
  [
    'write',
    'docs/<script>alert(1)</script>.md',
    'allow',
    'own-project',
    'Edits <img src=x onerror=alert(1)> inside',
  ],
  ['bash', 'terraform apply', 'approve', 'infra-two-people', 'Infra changes need two people'],
  ['bash', 'rm -rf build \u202e# dliub', 'confirm', 'ask-before-delete', 'Deleting is asked for'],
  ['bash', 'git push --force origin main', 'deny', 'no-force-push', 'History of main is kept'],
  ['read', '/home/dana/.ssh/id_ed25519', 'deny', 'no-secrets', 'Keys of production are read by nobody'],
  ['bash', 'npm run lint', 'allow', 'routine-checks', 'Tests and type checks run freely'],
  ['fetch', 'https://registry.example.com/left-pad', 'allow', 'registry', 'Our registry'],
];

/** Every kind of verdict, in about the mixture of a working day; some of it hostile. */
function decision(seq, ts) {
  const [tool, command, verdict, rule, because] = KINDS[(seq * 7 + (seq >> 3)) % KINDS.length];
  const by = rule === null ? { kind: 'tool', id: tool } : ruleOf(rule);
  const cwd = '/home/dana/pay';
  const effect = verdict === 'allow' ? 'allow' : verdict;
  return {
    kind: 'decision',
    ts,
    ...{
      session: `s-${(seq >> 5).toString(36)}`,
      run: `r-${(seq >> 3).toString(36)}`,
      call: `c-${seq.toString(36)}`,
    },
    decision: {
      ...{
        id: `d-${seq.toString(36)}`,
        verdict,
        demanded: verdict,
        by,
        because,
        instead: null,
        micros: 24 + (seq % 40),
      },
      floors:
        verdict === 'allow'
          ? [
              {
                kind: 'soft',
                verdict: 'confirm',
                source: { kind: 'tool', id: tool },
                reason: `tool ${tool} needs confirmation`,
                loweredBy: by,
              },
            ]
          : [{ kind: 'hard', verdict, source: by, reason: because, loweredBy: null }],
      matches: rule === null ? [] : [{ ...ruleOf(rule), effect, because, applied: true, on: command }],
      ...{
        obligations: [],
        approvers: null,
        trustOffer: { offered: false, reason: 'a central rule decides' },
        factsDigest: 'x',
        approvalDigest: 'x',
      },
      policy: { id: 'payments', revision: 42, state: 'fresh' },
      facts: {
        ...{
          tool,
          owner: 'core',
          definitionDigest: 'x',
          claimsTrusted: true,
          permission: 'confirm',
          mutating: true,
        },
        ...{
          declared: ['shell.arbitrary'],
          effective: [{ name: 'shell.arbitrary', declared: true, carriedBy: 'all' }],
        },
        ...{ riskTier: 'standard', callRisk: 'standard', riskReasons: [], paths: [], hosts: [], mcp: null },
        command: { text: command, unparsed: false, unparsedReason: null, commands: [simple(command)] },
        actor: { user: { name: 'dana', authenticated: true }, subagentDepth: 0 },
        session: { mode: 'default', interactive: true, yolo: false, sandboxed: false, remoteApprovals: true },
        ...{ project: cwd, cwd, background: false, now: ts },
      },
    },
  };
}

function simple(text) {
  return {
    ...{ argv: text.split(' '), text, traits: [], through: [], wrapper: 'none', inner: [] },
    ...{ risk: 'ordinary', riskReason: null, readOnly: false, nestedWstack: false },
  };
}

function slim(seq, ts) {
  const [tool, , verdict, rule] = KINDS[(seq * 7 + (seq >> 3)) % KINDS.length];
  const by = rule === null ? { kind: 'tool', id: tool } : ruleOf(rule);
  const because = 'long ago';
  return {
    kind: 'decision',
    ts,
    session: null,
    run: null,
    call: null,
    decision: { verdict, by, because, facts: { tool } },
  };
}

function ruleOf(id) {
  return { kind: 'rule', id, tier: 'team', document: 'payments', revision: 42 };
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

const store = await openControlStore({ file });
const tokens = {};
for (const [id, person] of Object.entries(PEOPLE)) tokens[id] = await addPerson(id, person);
await addDecisions(Number(rows ?? 0));
if (Number(rows ?? 0) > 0) for (const counts of activityUntil(now)) await store.activity.add(counts);
await store.close();
process.stdout.write(JSON.stringify(tokens));
