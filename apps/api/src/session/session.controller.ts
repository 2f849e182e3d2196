import { Body, Controller, Headers, Inject, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import type { Reply } from '../http/reply.js';
import type { Schema } from '../http/route-contract.js';
import { Caller, Route } from '../http/route.handler.js';
import { TokenAuthenticator } from '../identity/token-authenticator.js';
import {
  consoleOrigin,
  requireConsoleOrigin,
  type RequestHeaders,
  requireOwnPage,
} from './console-origin.js';
import { EndSession } from './end-session.command.js';
import { OidcSignIn } from './oidc-sign-in.js';
import { SESSION_MS, SessionAuthenticator } from './session-authenticator.js';
import { sessionSecretIn, setCookie } from './session-cookie.js';
import { SESSION, sessionView, type SessionView } from './session-view.js';
import { StartSession } from './start-session.command.js';

const SIGN_IN: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: { token: { type: 'string', minLength: 1, maxLength: 300 } },
};

interface WaysIn {
  readonly organisation: string;
  readonly token: true;
  readonly oidc: { readonly issuer: string; readonly start: string } | null;
}

const WAYS_IN: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['organisation', 'token', 'oidc'],
  properties: {
    organisation: { type: 'string' },
    token: { const: true },
    oidc: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['issuer', 'start'],
      properties: {
        issuer: { type: 'string' },
        start: { type: 'string', description: 'Go there; `?returnTo=/console/…` comes back to that page.' },
      },
    },
  },
};

/** A browser in which a person has signed in. Programs send their token with each request instead. */
@Controller('v1/session')
export class SessionController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(SessionAuthenticator) private readonly sessions: SessionAuthenticator,
    @Inject(TokenAuthenticator) private readonly tokens: TokenAuthenticator,
    @Inject(OidcSignIn) private readonly oidc: OidcSignIn,
  ) {}

  @Route('GET', 'sign-in', {
    summary: 'How people sign in here',
    ability: 'public',
    answers: {
      200: { description: 'With a token, and where it is set up at an identity provider.', schema: WAYS_IN },
    },
  })
  async waysIn(): Promise<WaysIn> {
    const oidc = await this.oidc.settings();
    return {
      organisation: this.control.organisation,
      token: true,
      oidc: oidc === null ? null : { issuer: oidc.issuer, start: '/v1/session/oidc/start' },
    };
  }

  @Route('POST', '', {
    summary: 'Sign in with an API token of a person; sets the cookie',
    ability: 'public',
    body: SIGN_IN,
    bodyExample: { token: 'wst_…' },
    answers: { 201: { description: 'You, and the session.', schema: SESSION } },
    problems: {
      401: 'session.token_refused.',
      403: 'session.origin, session.insecure, or session.not_a_person: a service or an agent.',
    },
  })
  async signIn(
    @Body() { token }: { readonly token: string },
    @Headers() headers: RequestHeaders,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<SessionView> {
    const origin = requireConsoleOrigin(this.control, headers);
    requireOwnPage(origin, headers);
    const person = await this.tokens.authenticate(`Bearer ${token}`);
    if (person === null)
      throw new ApiProblem(401, 'session.token_refused', 'this token is not, or no longer, valid here');
    if (person.kind !== 'user')
      throw new ApiProblem(
        403,
        'session.not_a_person',
        `the token is of ${aOrAn(person.kind)}: people sign in here`,
      );
    const proof = { kind: 'token', token: person.credential.id } as const;
    const before = sessionSecretIn(headers, origin);
    const { session, secret } = await this.commands.execute(new StartSession(person, proof, before));
    reply
      .header('set-cookie', setCookie('session', secret, SESSION_MS / 1000, origin))
      .header('cache-control', 'no-store');
    return sessionView(this.control, person, { standing: { session }, secret });
  }

  @Route('GET', '', {
    summary: 'Who you are, and what you may do',
    ability: 'signed-in',
    answers: { 200: { description: 'You.', schema: SESSION } },
  })
  async show(@Caller() caller: Principal, @Headers() headers: RequestHeaders): Promise<SessionView> {
    const origin = consoleOrigin(this.control, headers);
    const secret =
      caller.credential.kind !== 'session' || origin === null ? null : sessionSecretIn(headers, origin);
    const standing = secret === null ? null : await this.sessions.standing(secret);
    const session = secret === null || standing === null ? null : { standing, secret };
    return sessionView(this.control, caller, session);
  }

  @Route('DELETE', '', {
    summary: 'Sign out',
    ability: 'signed-in',
    answers: { 204: { description: 'The session is over.' } },
    problems: { 404: 'session.none: a bearer token has none.' },
  })
  async signOut(
    @Caller() caller: Principal,
    @Headers() headers: RequestHeaders,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<void> {
    const { kind, id } = caller.credential;
    if (kind !== 'session') throw new ApiProblem(404, 'session.none', 'there is no session to end');
    await this.commands.execute(new EndSession(caller, id));
    reply.header('set-cookie', setCookie('session', null, 0, requireConsoleOrigin(this.control, headers)));
  }
}

function aOrAn(kind: 'service' | 'agent'): string {
  return kind === 'agent' ? 'an agent' : 'a service';
}
