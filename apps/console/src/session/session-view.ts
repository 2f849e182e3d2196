/** `GET /v1/session`: who this is and what they may. */
export interface SessionView {
  readonly user: { readonly id: string; readonly name: string };
  readonly organisation: string;
  readonly roles: readonly string[];
  readonly teams: readonly string[];
  /** `<action>:<subject>`, of anybody's things. */
  readonly abilities: readonly string[];
  /** The same, of one's own things alone. */
  readonly ownAbilities: readonly string[];
  readonly session: {
    readonly id: string;
    readonly csrf: string;
    readonly expiresAt: string;
    readonly idleSince: string;
    readonly idleAfterSeconds: number;
  } | null;
}

/** `GET /v1/session/sign-in`: how somebody may sign in here. */
export interface SignInWays {
  readonly organisation: string;
  readonly token: boolean;
  readonly oidc: { readonly issuer: string; readonly start: string } | null;
}
