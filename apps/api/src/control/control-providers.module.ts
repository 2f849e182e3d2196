import type { Provider, Type } from '@nestjs/common';
import { Authenticator } from '../auth/authenticator.js';
import { BundlePress } from '../bundles/bundle-press.js';
import { BundlesController } from '../bundles/bundles.controller.js';
import { PublicationWatch } from '../bundles/publication-watch.js';
import { AgentsController } from '../enrolment/agents.controller.js';
import { ClaimEnrolmentHandler } from '../enrolment/claim-enrolment.command.js';
import { DecideEnrolmentHandler } from '../enrolment/decide-enrolment.command.js';
import { EnrolAgentHandler } from '../enrolment/enrol-agent.command.js';
import { EnrolmentsController } from '../enrolment/enrolments.controller.js';
import { RefreshAgentHandler } from '../enrolment/refresh-agent.command.js';
import { RevokeAgentHandler } from '../enrolment/revoke-agent.command.js';
import { StartEnrolmentHandler } from '../enrolment/start-enrolment.command.js';
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
import { PublicationsController } from '../policies/publications.controller.js';
import { PublishPolicyHandler } from '../policies/publish-policy.command.js';
import { ReviewRevisionHandler } from '../policies/review-revision.command.js';
import { RollBackPolicyHandler } from '../policies/roll-back-policy.command.js';
import { SaveDraftHandler } from '../policies/save-draft.command.js';
import { SteerRolloutHandler } from '../policies/steer-rollout.command.js';
import { CancelReplayHandler } from '../replay/cancel-replay.command.js';
import { ReplayRunner } from '../replay/replay-runner.js';
import { ReplaysController } from '../replay/replays.controller.js';
import { StartReplayHandler } from '../replay/start-replay.command.js';
import { ControlPlane } from './control-plane.js';
import type { ControlParts } from './open-control.js';
import { RootKey } from './root-key.js';

/** What rules a fleet. */
export const CONTROL_CONTROLLERS: readonly Type[] = [
  AgentsController,
  BundlesController,
  CommentsController,
  DraftsController,
  EnrolmentsController,
  IdentitiesController,
  PoliciesController,
  PublicationsController,
  ReplaysController,
  TokensController,
];

const HANDLERS = [
  CancelReplayHandler,
  ChangeGroupMappingsHandler,
  ChangeSettingsHandler,
  ChangeUserHandler,
  ClaimEnrolmentHandler,
  CreatePolicyHandler,
  DecideEnrolmentHandler,
  EnrolAgentHandler,
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
  SteerRolloutHandler,
];

/** Everything that the controllers above ask for. */
export function controlProviders(parts: ControlParts): Provider[] {
  const { control, authenticator, tokens, keys, press, watch, replays } = parts;
  return [
    { provide: ControlPlane, useValue: control },
    { provide: Authenticator, useValue: authenticator },
    { provide: TokenAuthenticator, useValue: tokens },
    { provide: KeyRing, useValue: keys },
    { provide: RootKey, useValue: keys },
    { provide: BundlePress, useValue: press },
    { provide: PublicationWatch, useValue: watch },
    { provide: ReplayRunner, useValue: replays },
    ...HANDLERS,
  ];
}
