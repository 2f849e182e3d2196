import { Test } from '@nestjs/testing';
import { PermissionPolicy } from '@wrongstack/contracts';
import { FixedPolicies, PolicyDocuments } from './documents/policy-documents.js';
import { PolicyEngine } from './engine/policy-engine.js';
import { NotEnrolled, PolicyStateSource } from './engine/policy-state-source.js';
import { PolicyModule } from './policy.module.js';
import { MemoryTrustStores } from './trust/memory-trust-store.js';
import { TrustStores } from './trust/trust-store.js';

it('the policy module binds the engine and its sources by their abstract classes', async () => {
  const options = {
    documents: new FixedPolicies([]),
    trust: new MemoryTrustStores(),
    state: new NotEnrolled(),
    clock: { now: () => 0 },
    home: '/home/somebody',
    agentHome: '/home/somebody/.wrongstack',
    scrub: (text: string) => text,
  };
  const app = await Test.createTestingModule({ imports: [PolicyModule.forRoot(options)] }).compile();
  expect(app.get(PermissionPolicy)).toBeInstanceOf(PolicyEngine);
  expect(app.get(PermissionPolicy)).toBe(app.get(PolicyEngine));
  expect(app.get(PolicyDocuments)).toBe(options.documents);
  expect(app.get(TrustStores)).toBe(options.trust);
  expect(app.get(PolicyStateSource)).toBe(options.state);
  await app.close();
});
