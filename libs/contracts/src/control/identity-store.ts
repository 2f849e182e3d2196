import type { Edited, GroupMapping, OrganisationSettings, UserRecord } from './identity-records.js';
import type { Page, PageRequest } from './paging.js';
import type { Compared } from './policy-store.js';

/** Users, how groups map to teams and roles, and the organisation's settings. */
export abstract class IdentityStore {
  /** False where the id or the subject is taken. */
  abstract addUser(user: Omit<UserRecord, 'etag'>): Promise<boolean>;
  abstract user(id: string): Promise<UserRecord | null>;
  abstract userBySubject(issuer: string, subject: string): Promise<UserRecord | null>;
  /** By id. */
  abstract users(page: PageRequest): Promise<Page<UserRecord>>;
  /** Replaces all but id and creation. */
  abstract changeUser(user: UserRecord, ifEtag: number): Promise<Compared<UserRecord>>;

  abstract groupMappings(): Promise<Edited<readonly GroupMapping[]>>;
  abstract setGroupMappings(
    mappings: readonly GroupMapping[],
    ifEtag: number,
  ): Promise<Compared<Edited<readonly GroupMapping[]>>>;
  abstract settings(): Promise<Edited<OrganisationSettings>>;
  abstract setSettings(
    settings: OrganisationSettings,
    ifEtag: number,
  ): Promise<Compared<Edited<OrganisationSettings>>>;
}
