import type { Provider, Type } from '@nestjs/common';
import { ApprovalEventsController } from '../approvals/approval-events.controller.js';
import { ApprovalWatch } from '../approvals/approval-watch.js';
import { ApprovalsController } from '../approvals/approvals.controller.js';
import { CreateApprovalHandler } from '../approvals/create-approval.command.js';
import { DecideApprovalHandler } from '../approvals/decide-approval.command.js';
import { UseApprovalHandler } from '../approvals/use-approval.command.js';
import { WithdrawApprovalHandler } from '../approvals/withdraw-approval.command.js';
import { AuditChainController } from '../audit/audit-chain.controller.js';
import { AuditController } from '../audit/audit.controller.js';
import { IngestBatchHandler } from '../audit/ingest-batch.command.js';
import { ShadowRules } from '../audit/shadow-rules.js';
import { ShadowController } from '../audit/shadow.controller.js';
import { Authenticator } from '../auth/authenticator.js';
import { BundlePress } from '../bundles/bundle-press.js';
import { BundlesController } from '../bundles/bundles.controller.js';
import { PublicationWatch } from '../bundles/publication-watch.js';
import { DecideCallHandler } from '../decisions/decide-call.command.js';
import { DecisionTrail } from '../decisions/decision-trail.js';
import { DecisionsController } from '../decisions/decisions.controller.js';
import { AgentsController } from '../enrolment/agents.controller.js';
import { ClaimEnrolmentHandler } from '../enrolment/claim-enrolment.command.js';
import { DecideEnrolmentHandler } from '../enrolment/decide-enrolment.command.js';
import { EnrolAgentHandler } from '../enrolment/enrol-agent.command.js';
import { EnrolmentsController } from '../enrolment/enrolments.controller.js';
import { RefreshAgentHandler } from '../enrolment/refresh-agent.command.js';
import { RevokeAgentHandler } from '../enrolment/revoke-agent.command.js';
import { StartEnrolmentHandler } from '../enrolment/start-enrolment.command.js';
import { CreateExceptionRequestHandler } from '../exceptions/create-exception-request.command.js';
import { DecideExceptionRequestHandler } from '../exceptions/decide-exception-request.command.js';
import { ExceptionRequestsController } from '../exceptions/exception-requests.controller.js';
import { FleetController } from '../fleet/fleet.controller.js';
import { OverviewController } from '../fleet/overview.controller.js';
import { TakeHeartbeatHandler } from '../fleet/take-heartbeat.command.js';
import { ChangeGroupMappingsHandler } from '../identity/change-group-mappings.command.js';
import { ChangeSettingsHandler } from '../identity/change-settings.command.js';
import { ChangeUserHandler } from '../identity/change-user.command.js';
import { IdentitiesController } from '../identity/identities.controller.js';
import { IssueTokenHandler } from '../identity/issue-token.command.js';
import { RevokeTokenHandler } from '../identity/revoke-token.command.js';
import { TokenAuthenticator } from '../identity/token-authenticator.js';
import { TokensController } from '../identity/tokens.controller.js';
import { KeyRing } from '../keys/key-ring.js';
import { CommentsController } from '../policies/comments.controller.js';
import { CreatePolicyHandler } from '../policies/create-policy.command.js';
import { DraftsController } from '../policies/drafts.controller.js';
import { PoliciesController } from '../policies/policies.controller.js';
import { PolicyList } from '../policies/policy-list.js';
import { PolicyLanguageController } from '../policies/policy-language.controller.js';
import { PublicationsController } from '../policies/publications.controller.js';
import { PublishPolicyHandler } from '../policies/publish-policy.command.js';
import { ReviewRevisionHandler } from '../policies/review-revision.command.js';
import { RollBackPolicyHandler } from '../policies/roll-back-policy.command.js';
import { RolloutsController } from '../policies/rollouts.controller.js';
import { SaveDraftHandler } from '../policies/save-draft.command.js';
import { SteerRolloutHandler } from '../policies/steer-rollout.command.js';
import { WhatIfController } from '../policies/what-if.controller.js';
import { CancelReplayHandler } from '../replay/cancel-replay.command.js';
import { ReplayRunner } from '../replay/replay-runner.js';
import { ReplaysController } from '../replay/replays.controller.js';
import { StartReplayHandler } from '../replay/start-replay.command.js';
import { CancelRunHandler } from '../runs/cancel-run.command.js';
import { RunTender } from '../runs/run-tender.js';
import { RunsController } from '../runs/runs.controller.js';
import type { ServerRuns } from '../runs/server-runs.js';
import { StartRunHandler } from '../runs/start-run.command.js';
import { EndSessionHandler } from '../session/end-session.command.js';
import { OidcSignIn } from '../session/oidc-sign-in.js';
import { OidcSignInController } from '../session/oidc-sign-in.controller.js';
import { SessionAuthenticator } from '../session/session-authenticator.js';
import { SessionController } from '../session/session.controller.js';
import { StartSessionHandler } from '../session/start-session.command.js';
import { TakeReportHandler } from '../usage/take-report.command.js';
import { UsageController } from '../usage/usage.controller.js';
import { ControlPlane } from './control-plane.js';
import type { ControlParts } from './open-control.js';
import { RootKey } from './root-key.js';

/** What rules a fleet. */
export const CONTROL_CONTROLLERS: readonly Type[] = [
  AgentsController,
  ApprovalEventsController,
  ApprovalsController,
  AuditChainController,
  AuditController,
  BundlesController,
  CommentsController,
  DecisionsController,
  DraftsController,
  EnrolmentsController,
  ExceptionRequestsController,
  FleetController,
  IdentitiesController,
  OidcSignInController,
  OverviewController,
  PoliciesController,
  PolicyLanguageController,
  PublicationsController,
  ReplaysController,
  RolloutsController,
  RunsController,
  SessionController,
  ShadowController,
  TokensController,
  UsageController,
  WhatIfController,
];

const HANDLERS = [
  CancelRunHandler,
  CancelReplayHandler,
  ChangeGroupMappingsHandler,
  ChangeSettingsHandler,
  ChangeUserHandler,
  ClaimEnrolmentHandler,
  CreateApprovalHandler,
  CreateExceptionRequestHandler,
  CreatePolicyHandler,
  DecideApprovalHandler,
  DecideCallHandler,
  DecideEnrolmentHandler,
  DecideExceptionRequestHandler,
  EndSessionHandler,
  EnrolAgentHandler,
  IngestBatchHandler,
  IssueTokenHandler,
  PublishPolicyHandler,
  RefreshAgentHandler,
  RevokeAgentHandler,
  ReviewRevisionHandler,
  RevokeTokenHandler,
  RollBackPolicyHandler,
  SaveDraftHandler,
  StartEnrolmentHandler,
  StartReplayHandler,
  StartRunHandler,
  StartSessionHandler,
  SteerRolloutHandler,
  TakeHeartbeatHandler,
  TakeReportHandler,
  UseApprovalHandler,
  WithdrawApprovalHandler,
];

/** Everything that the controllers above ask for. */
export function controlProviders(parts: ControlParts, runs: ServerRuns): Provider[] {
  const { control, authenticator, tokens, sessions, oidcSignIn, keys } = parts;
  const { press, watch, replays, approvals, trail } = parts;
  return [
    { provide: ControlPlane, useValue: control },
    { provide: Authenticator, useValue: authenticator },
    { provide: TokenAuthenticator, useValue: tokens },
    { provide: SessionAuthenticator, useValue: sessions },
    { provide: OidcSignIn, useValue: oidcSignIn },
    { provide: KeyRing, useValue: keys },
    { provide: RootKey, useValue: keys },
    { provide: BundlePress, useValue: press },
    { provide: PublicationWatch, useValue: watch },
    { provide: ReplayRunner, useValue: replays },
    { provide: ApprovalWatch, useValue: approvals },
    { provide: DecisionTrail, useValue: trail },
    { provide: PolicyList, useValue: new PolicyList(control.store) },
    { provide: RunTender, useValue: runs.tender },
    { provide: ShadowRules, useValue: new ShadowRules(control.store) },
    ...HANDLERS,
  ];
}
