/** Who calls. */
export interface CallerIdentity {
  readonly tenant: string | null;
  readonly user: string;
}

/** Tells who calls from the request's headers. Null = nobody that is known. */
export abstract class Authenticator {
  abstract authenticate(authorization: string | undefined): Promise<CallerIdentity | null>;
}
