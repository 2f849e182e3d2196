// The client of the control plane: enrolment, identity, the signed bundle's files, approvals and the way of audit records.
export { AgentBearers, type BearersOwner, type VerifiedAgent } from './agent-bearers.js';
export { AgentSession, readAgentIdentity } from './agent-session.js';
export { AuditShipper, isUnreachable, type ShipReport } from './audit-shipper.js';
export { AuditSpool, type ShipCursor } from './audit-spool.js';
export { ControlClient } from './control-client.js';
export { ControlProblem, exchange, type ControlRequest, type ControlResponse } from './control-http.js';
export { enrolByCode, enrolWithToken, type EnrolParts } from './enrol.js';
export {
  readEnrolment,
  serverAddress,
  writeEnrolment,
  type Enrolment,
  type EnrolmentPlaces,
} from './enrolment.js';
export { followEvents, type ServerEvent } from './follow-events.js';
export { FileBundleStore } from './file-bundle-store.js';
export { IdentityFile, newRefreshToken, type StoredIdentity } from './identity-file.js';
export { MetricReports } from './metric-reports.js';
export { PendingApprovals, type PendingApproval } from './pending-approvals.js';
export {
  PolicyRefresher,
  type RefreshOutcome,
  type RefresherOptions,
  type SignedPolicy,
} from './policy-refresher.js';
export { approvalBody, RemoteApprovals, type RemoteApprovalsOptions } from './remote-approvals.js';
export { SharedUsage } from './shared-usage.js';
