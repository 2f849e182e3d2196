import { type DynamicModule, Module } from '@nestjs/common';
import {
  ApprovalChannel,
  AuditLog,
  PermissionPolicy,
  Sandbox,
  SecretScrubber,
  SecretVault,
  SessionStore,
} from '@wrongstack/contracts';
import { CountedApprovals, type KernelPorts } from '@wrongstack/kernel';
import { KernelModule } from '@wrongstack/kernel/module';
import { PolicyEngine } from '@wrongstack/policy';
import { PolicyModule } from '@wrongstack/policy/module';
import type { HostParts } from './host-parts.js';

/** Only a name for the adapters' bindings. */
@Module({})
class AdapterBindings {}

/** Binds every port of the command line by its abstract class; the kernel is made from what is injected. */
@Module({})
export class CliModule {
  static forRoot(parts: HostParts): DynamicModule {
    const adapters: DynamicModule = {
      module: AdapterBindings,
      providers: [
        { provide: AuditLog, useValue: parts.audit },
        { provide: SecretVault, useValue: parts.vault },
        { provide: SecretScrubber, useValue: parts.scrubber },
        { provide: SessionStore, useValue: parts.sessions },
        { provide: Sandbox, useValue: parts.sandbox },
        { provide: ApprovalChannel, useValue: parts.approvals },
      ],
      exports: [AuditLog, SecretVault, SecretScrubber, SessionStore, Sandbox, ApprovalChannel],
    };
    const policy = PolicyModule.forRoot(parts.policyOptions);
    const kernel = KernelModule.register({
      imports: [adapters, policy],
      inject: [PermissionPolicy, PolicyEngine, ApprovalChannel, AuditLog, SecretScrubber, Sandbox],
      ports: (
        permission: PermissionPolicy,
        engine: PolicyEngine,
        approvals: ApprovalChannel,
        audit: AuditLog,
        scrubber: SecretScrubber,
        sandbox: Sandbox,
      ): KernelPorts => ({
        policy: permission,
        approvals: new CountedApprovals(approvals, parts.metrics),
        audit,
        auditFailure: async () => (await engine.locks(parts.request.projectRoot)).auditFailure,
        scrubber,
        sandbox,
        rateLimiter: parts.rateLimiter,
        credentials: parts.credentials,
        tasks: { queue: parts.tasks, dataDir: parts.request.paths.agentHome },
        metrics: parts.metrics,
        config: parts.config,
        log: parts.log,
        clock: parts.clock,
        mayMutate: parts.extensions.mayMutate,
      }),
    });
    return { module: CliModule, imports: [adapters, policy, kernel], exports: [policy, kernel] };
  }
}
