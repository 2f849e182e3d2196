import { Controller, Headers, Inject, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { codeOf, messageOf } from '@wrongstack/contracts';
import { ControlPlane } from '../control/control-plane.js';
import { ApiHost } from '../host/api-host.js';
import type { Reply } from '../http/reply.js';
import type { Schema } from '../http/route-contract.js';
import { Route } from '../http/route.handler.js';
import { type ConsoleOrigin, requireConsoleOrigin, type RequestHeaders } from './console-origin.js';
import { type CallbackQuery, consolePath, OidcSignIn } from './oidc-sign-in.js';
import { SESSION_MS } from './session-authenticator.js';
import { cookieIn, sessionSecretIn, setCookie } from './session-cookie.js';
import { StartSession } from './start-session.command.js';

/** As long as a person may take at the provider. */
const PENDING_SECONDS = 600;
const TEXT: Schema = { type: 'string', maxLength: 4000 };
const ASKED = { code: TEXT, state: TEXT, error: TEXT, iss: TEXT };
/** What providers also send. Nothing of it is read. */
const OTHERS = ['error_description', 'error_uri', 'session_state', 'scope', 'authuser', 'prompt', 'hd'];
const ON = { description: 'Go on there.' };

/** Signing in at the organisation's identity provider. A person's browser goes through these; nothing of it is for programs. */
@Controller('v1/session/oidc')
export class OidcSignInController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(OidcSignIn) private readonly oidc: OidcSignIn,
    @Inject(ApiHost) private readonly host: ApiHost,
  ) {}

  @Route('GET', 'start', {
    summary: 'Go to the identity provider',
    ability: 'public',
    query: { returnTo: { type: 'string', maxLength: 1000 } },
    answers: { 303: ON },
    problems: { 403: 'session.insecure.' },
  })
  async start(
    @Query() { returnTo }: { readonly returnTo?: string },
    @Headers() headers: RequestHeaders,
    @Res() reply: Reply,
  ): Promise<void> {
    const origin = requireConsoleOrigin(this.control, headers);
    await this.#orSayWhy(reply, origin, async () => {
      const { location, cookie } = await this.oidc.begin(origin.origin, consolePath(returnTo));
      go(reply, location, [setCookie('sign-in', cookie, PENDING_SECONDS, origin)]);
    });
  }

  @Route('GET', 'callback', {
    summary: 'Come back from the identity provider; sets the cookie',
    ability: 'public',
    query: { ...Object.fromEntries(OTHERS.map((name) => [name, TEXT])), ...ASKED },
    answers: {
      303: { description: 'To where the person wanted to go, or to /console/sign-in?error=<code>.' },
    },
    problems: { 403: 'session.insecure.' },
  })
  async callback(
    @Query() query: CallbackQuery,
    @Headers() headers: RequestHeaders,
    @Res() reply: Reply,
  ): Promise<void> {
    const origin = requireConsoleOrigin(this.control, headers);
    await this.#orSayWhy(reply, origin, async () => {
      const cookie = cookieIn(headers, 'sign-in', origin);
      const { principal, issuer, groups, returnTo } = await this.oidc.finish(origin.origin, query, cookie);
      const proof = { kind: 'oidc', issuer, groups } as const;
      const before = sessionSecretIn(headers, origin);
      const { secret } = await this.commands.execute(new StartSession(principal, proof, before));
      go(reply, returnTo, [
        setCookie('session', secret, SESSION_MS / 1000, origin),
        setCookie('sign-in', null, 0, origin),
      ]);
    });
  }

  /** A person looks at what comes: the console says it to them. Details are in the log. */
  async #orSayWhy(reply: Reply, origin: ConsoleOrigin, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const code = codeOf(error);
      if (!code.startsWith('session.')) throw error;
      this.host.log.warn('somebody could not sign in', { code, because: messageOf(error) });
      go(reply, `/console/sign-in?error=${code}`, [setCookie('sign-in', null, 0, origin)]);
    }
  }
}

function go(reply: Reply, location: string, cookies: readonly string[]): void {
  reply.status(303).header('location', location).header('cache-control', 'no-store');
  // Fastify adds each to those before.
  for (const cookie of cookies) reply.header('set-cookie', cookie);
  reply.send('');
}
