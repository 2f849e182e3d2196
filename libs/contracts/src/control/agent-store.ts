import type { AgentRecord, DeviceEnrolment, RefreshSecret } from './identity-records.js';
import type { Page, PageRequest } from './paging.js';

/** `reused`: this secret was used before. The agent is revoked by that very call, with all its tokens. */
export type RefreshOutcome =
  | { readonly outcome: 'rotated'; readonly agent: AgentRecord }
  | { readonly outcome: 'reused'; readonly agent: AgentRecord }
  | { readonly outcome: 'revoked' | 'expired'; readonly agent: AgentRecord }
  | { readonly outcome: 'unknown' };

export type EnrolmentDecided =
  | { readonly ok: true; readonly enrolment: DeviceEnrolment }
  | { readonly ok: false; readonly reason: 'unknown' | 'expired' | 'already-decided' };

export type EnrolmentUsed =
  | { readonly ok: true; readonly enrolment: DeviceEnrolment }
  | { readonly ok: false; readonly reason: 'unknown' | 'expired' | 'pending' | 'denied' | 'already-used' };

/** Enrolled agents, their refresh secrets, and devices that wait to be enrolled. */
export abstract class AgentStore {
  /** The agent with its first refresh secret. False where the id is taken. */
  abstract add(agent: AgentRecord, secret: RefreshSecret): Promise<boolean>;
  abstract get(id: string): Promise<AgentRecord | null>;
  /** By id. */
  abstract list(filter: { readonly owner?: string }, page: PageRequest): Promise<Page<AgentRecord>>;
  /** False where there is none, or it is revoked already. Its tokens go with it. */
  abstract revoke(id: string, because: string, at: string): Promise<boolean>;
  /**
   * The presented secret is used up and `next` takes its place. The same pair again (an answer was lost) is `rotated` again as long as
   * `next` is the newest, and changes nothing; a used secret with another `next` is `reused`.
   */
  abstract rotate(presentedHash: string, next: RefreshSecret, at: string): Promise<RefreshOutcome>;

  /** False where one of the codes is taken. */
  abstract addEnrolment(enrolment: DeviceEnrolment): Promise<boolean>;
  abstract enrolmentByUserCode(userCode: string): Promise<DeviceEnrolment | null>;
  abstract enrolmentByDevice(deviceHash: string): Promise<DeviceEnrolment | null>;
  abstract decideEnrolment(
    userCode: string,
    decision: {
      readonly is: 'approved' | 'denied';
      readonly by: string;
      readonly at: string;
      readonly teams: readonly string[];
    },
  ): Promise<EnrolmentDecided>;
  /** Turns an approved enrolment into an agent, once. */
  abstract useEnrolment(deviceHash: string, agent: string, at: string): Promise<EnrolmentUsed>;
  /** Forgets enrolments and used refresh secrets that expired before; how many. */
  abstract prune(expiredBefore: string): Promise<number>;
}
