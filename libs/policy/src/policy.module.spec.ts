import { PermissionPolicy } from '@wrongstack/contracts';
import { FixedPolicies, PolicyDocuments } from './documents/policy-documents.js';
import { PolicyEngine } from './engine/policy-engine.js';
import { NotEnrolled, PolicyStateSource } from './engine/policy-state-source.js';
import { PolicyModule } from './policy.module.js';
import { MemoryTrustStores } from './trust/memory-trust-store.js';
import { TrustStores } from './trust/trust-store.js';

it('the policy module binds the engine and its sources by their abstract classes', () => {
  const options = {
    documents: new FixedPolicies([]),
    trust: new MemoryTrustStores(),
    state: new NotEnrolled(),
    clock: { now: () => 0 },
    home: '/home/somebody',
    agentHome: '/home/somebody/.wrongstack',
    scrub: (text: string) => text,
  };
  const { providers, exports } = PolicyModule.forRoot(options);
  expect(exports).toEqual([PolicyDocuments, TrustStores, PolicyStateSource, PolicyEngine, PermissionPolicy]);
  expect(providers).toEqual(
    expect.arrayContaining([
      { provide: PolicyDocuments, useValue: options.documents },
      { provide: TrustStores, useValue: options.trust },
      { provide: PolicyStateSource, useValue: options.state },
      { provide: PermissionPolicy, useExisting: PolicyEngine },
    ]),
  );
});
