import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A small shop with one bug, a stale build folder and a test suite that needs nothing but Node. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "corner-shop",
  "version": "1.0.0",
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  'README.md': `# Corner shop

Adds up a cart. Totals are in cents. \`node --test\` checks it.
`,
  'src/cart.js': `import { discountFor } from './discount.js';

/** Sum of a cart in cents, after discount. */
export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum -= item.price * item.quantity;
  }
  return sum - discountFor(sum);
}
`,
  'src/discount.js': `const THRESHOLD = 10_000;

/** Ten percent from one hundred upwards. */
export function discountFor(sum) {
  return sum >= THRESHOLD ? Math.round(sum / 10) : 0;
}
`,
  'test/cart.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/cart.js';

test('adds prices times quantities', () => {
  assert.equal(total([{ price: 250, quantity: 2 }, { price: 100, quantity: 1 }]), 600);
});

test('takes ten percent off from one hundred upwards', () => {
  assert.equal(total([{ price: 5_000, quantity: 2 }]), 9_000);
});
`,
  'build/cart.min.js': '/* built last year */\n',
};

/** What the shop's platform team allows and forbids; the person's own tier, since nobody is enrolled in a demo. */
const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: corner-shop, revision: 3, scope: { tier: user }, owner: shop-platform }
rules:
  - id: edit-sources
    effect: allow
    actions: [fs.write]
    when: { path: { every: ["src/**"] } }
    because: Sources are what the agent is here for
  - id: run-tests
    effect: allow
    actions: [shell.arbitrary]
    when: { command: { argv: [node, "--test"] } }
    because: Running the tests is routine
  - id: no-publish
    effect: deny
    actions: [shell.arbitrary, shell.restricted]
    when: { command: { argv: [npm, publish] } }
    because: Releases go through the pipeline
    instead: open a merge request, the pipeline publishes it
tests:
  - name: publishing is denied however it is wrapped
    call: { tool: bash, input: { command: "cd . && npm --quiet publish" } }
    expect: { verdict: deny, rule: no-publish }
`;

/** Lay the project out in `folder`, and a home of the agent beside it that holds its policy. */
export function layOutDemo(folder: string): { readonly project: string; readonly agentHome: string } {
  const project = path.join(folder, 'corner-shop');
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(project, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const agentHome = path.join(folder, 'home', '.wrongstack');
  mkdirSync(agentHome, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(agentHome, 'policy.yaml'), POLICY, { mode: 0o600 });
  return { project, agentHome };
}
