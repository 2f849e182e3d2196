import { closed, flag, list, oneOf, open, orNull, text, time, whole } from './schema-parts.js';

// How a client becomes an agent of an organisation, and stays one. All bodies are JSON; errors are problem+json.

/** What is enrolled. */
export interface ClientDescription {
  /** `wstack`. */
  readonly name: string;
  readonly version: string;
  /** `linux-x64`. */
  readonly platform: string;
  /** Host name, for the list of agents. Declared, never trusted. */
  readonly host: string;
}

export const clientDescriptionSchema = closed({
  name: text(100),
  version: text(50),
  platform: text(50),
  host: text(255),
});

/**
 * The first refresh token is the client's own choice, like each after it: the server is told only its sha256, so no answer
 * that gets lost can lock an agent out. `refreshHash` = `sha256:<hex>` of the token text `wsr_<32 bytes in base64url>`.
 */
export interface StartEnrolment {
  readonly client: ClientDescription;
  readonly refreshHash: string;
}

const refreshHash = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' } as const;

/** `POST /v1/enrolments` (nobody is signed in yet). */
export const startEnrolmentSchema = closed({ client: clientDescriptionSchema, refreshHash });

/** 201. */
export interface StartedEnrolment {
  /** Secret of the client that waits; `wsd_…`. */
  readonly deviceCode: string;
  /** What the person types or compares: `BCDF-GHJK`. */
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string;
  readonly expiresAt: string;
  /** Seconds between two polls, at least. */
  readonly intervalSeconds: number;
}

export const startedEnrolmentSchema = open({
  deviceCode: text(200),
  userCode: text(20),
  verificationUri: text(2000),
  verificationUriComplete: text(2000),
  expiresAt: time,
  intervalSeconds: whole(1, 60),
});

/**
 * `POST /v1/enrolments/token`: 200 with `EnrolledAgent`, once. 400 with code `enrolment.pending`, `enrolment.slow_down` (add
 * 5 s), `enrolment.denied`, `enrolment.expired` or `enrolment.used`.
 */
export interface PollEnrolment {
  readonly deviceCode: string;
}

export const pollEnrolmentSchema = closed({ deviceCode: text(200) });

/** `GET /v1/enrolments/{userCode}`: what the person who confirms sees. */
export interface EnrolmentView {
  readonly userCode: string;
  readonly client: ClientDescription;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly state: 'pending' | 'approved' | 'denied' | 'expired' | 'used';
}

export const enrolmentViewSchema = open({
  userCode: text(20),
  client: open({ name: text(100), version: text(50), platform: text(50), host: text(255) }),
  createdAt: time,
  expiresAt: time,
  state: oneOf('pending', 'approved', 'denied', 'expired', 'used'),
});

/** `POST /v1/enrolments/{userCode}/decision`. The agent acts for the person who confirms. `team` chooses among several. */
export interface DecideEnrolment {
  readonly approve: boolean;
  readonly team?: string;
}

export const decideEnrolmentSchema = closed({ approve: flag }, { team: text(200) });

/** `POST /v1/agents` with a person's or a service's token. 201 with `EnrolledAgent`. */
export interface EnrolAgent extends StartEnrolment {
  readonly team?: string;
}

export const enrolAgentSchema = closed({ client: clientDescriptionSchema, refreshHash }, { team: text(200) });

/** For whom the agent acts, as the server vouches for it. */
export interface PrincipalView {
  readonly id: string;
  readonly kind: 'user' | 'service' | 'agent';
  readonly name: string;
  readonly teams: readonly string[];
  readonly roles: readonly string[];
}

const principalMembers = {
  id: text(200),
  kind: oneOf('user', 'service', 'agent'),
  name: text(200),
  teams: list(text(200), 200),
  roles: list(text(50), 20),
};
export const principalViewSchema = open(principalMembers);

/** What the agent is now; said again with each refresh, since teams and roles change. */
export interface AgentIdentity {
  readonly agent: { readonly id: string; readonly name: string };
  /** The person or service that the agent acts for. */
  readonly principal: PrincipalView;
  readonly organisation: string;
  /** The bundle that it must enforce: `team:payments`, or `org`. */
  readonly scope: string;
  /** `wsa_…`, good until `accessExpiresAt`. */
  readonly accessToken: string;
  readonly accessExpiresAt: string;
}

export interface EnrolledAgent extends AgentIdentity {
  /** Raw Ed25519 public key of the root, base64url; pinned from now on. */
  readonly rootKey: string;
}

const identityMembers = {
  agent: open({ id: text(200), name: text(200) }),
  principal: principalViewSchema,
  organisation: text(200),
  scope: text(210),
  accessToken: text(500),
  accessExpiresAt: time,
};
export const agentIdentitySchema = open(identityMembers);
export const enrolledAgentSchema = open({ ...identityMembers, rootKey: text(43) });

/**
 * `POST /v1/agents/token`: 200 with `AgentIdentity`. Rotates: from now on only the token behind `nextHash` is good. 401
 * `agent.unknown_token` changes nothing; a token that was used before revokes the agent: 401 `agent.revoked`. After an answer
 * that got lost a client presents its newest token first and goes back to the one before only where that is unknown.
 */
export interface RefreshAgent {
  readonly refreshToken: string;
  readonly nextHash: string;
}

export const refreshAgentSchema = closed({ refreshToken: text(200), nextHash: refreshHash });

/** `GET /v1/whoami`. `agent` and `scope` are null for a person's own token. */
export interface WhoAmI {
  readonly principal: PrincipalView;
  readonly agent: { readonly id: string; readonly name: string } | null;
  readonly organisation: string;
  readonly scope: string | null;
}

export const whoAmISchema = open({
  principal: principalViewSchema,
  agent: orNull(open({ id: text(200), name: text(200) })),
  organisation: text(200),
  scope: orNull(text(210)),
});
