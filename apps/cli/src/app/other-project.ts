import { type SessionId, WrongStackError } from '@wrongstack/contracts';

/** A session and the two folders: where it belongs, and where one wants to go on with it. */
export interface OtherProject {
  readonly session: SessionId;
  readonly theirs: string;
  readonly here: string;
}

/** A person's word that a session of another project goes on here. Missing = nobody is there to ask. */
export type AskedHere = (other: OtherProject) => Promise<boolean>;

/**
 * What a session was told and allowed to do was about its own project: its paths, its open calls and its plan mean something
 * else here, and a policy of another place applies. So it does not go on here unless somebody says so.
 */
export function otherProjectError({ session, theirs, here }: OtherProject): WrongStackError {
  return new WrongStackError(
    'session.other_project',
    `session ${session} belongs to ${theirs}, and this is ${here}`,
    { hint: resumeThere({ session, theirs }) },
  );
}

/** The command that goes on with it where it belongs. */
export function resumeThere({ session, theirs }: Pick<OtherProject, 'session' | 'theirs'>): string {
  const folder = /^[\w./~+@%:=-]+$/.test(theirs) ? theirs : `'${theirs.replaceAll("'", `'\\''`)}'`;
  return `cd ${folder} && wstack session resume ${session}`;
}
