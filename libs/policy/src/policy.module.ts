import { Module, type DynamicModule } from '@nestjs/common';
import { PermissionPolicy } from '@wrongstack/contracts';
import { PolicyDocuments } from './documents/policy-documents.js';
import { PolicyEngine, type PolicyEngineOptions } from './engine/policy-engine.js';
import { PolicyStateSource } from './engine/policy-state-source.js';
import { TrustStores } from './trust/trust-store.js';

/** Binds the policy engine and what it asks, by their abstract classes. All the work is in plain classes. */
@Module({})
export class PolicyModule {
  static forRoot(options: PolicyEngineOptions): DynamicModule {
    return {
      module: PolicyModule,
      providers: [
        { provide: PolicyDocuments, useValue: options.documents },
        { provide: TrustStores, useValue: options.trust },
        { provide: PolicyStateSource, useValue: options.state },
        { provide: PolicyEngine, useFactory: () => new PolicyEngine(options) },
        { provide: PermissionPolicy, useExisting: PolicyEngine },
      ],
      exports: [PolicyDocuments, TrustStores, PolicyStateSource, PolicyEngine, PermissionPolicy],
    };
  }
}
