import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { WrongStackError } from '@wrongstack/contracts';
import { ROUTE, type CompiledRoute } from '../http/compiled-route.js';
import type { Reply } from '../http/reply.js';
import { type CookieRequest, SessionAuthenticator } from '../session/session-authenticator.js';
import { Authenticator } from './authenticator.js';
import { CallerLimit } from './caller-limit.js';
import { type Authenticated, forbidden, unauthenticated } from './caller.js';
import { abilitiesOf } from './compile-ability.js';
import type { Principal } from './principal.js';

/** Nobody gets further than here who is not known, or who may not do at all what the route does. Each handler, whatever its path. */
@Injectable()
export class RouteGuard implements CanActivate {
  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(SessionAuthenticator) private readonly sessions: SessionAuthenticator,
    @Inject(CallerLimit) private readonly limit: CallerLimit,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = Reflect.getMetadata(ROUTE, context.getHandler()) as CompiledRoute | undefined;
    // Cannot happen after the check at start; if it did, a route without a contract would be open.
    if (route === undefined) throw new WrongStackError('api.route_unguarded', 'this route has no contract');
    const { ability } = route.contract;
    if (ability === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Authenticated & CookieRequest>();
    const principal = await this.#principalOf(request);
    if (principal === null) throw unauthenticated();
    this.limit.take(principal.id);
    request.principal = principal;
    if (principal.credential.kind === 'session') {
      request.stillStands = () => this.sessions.stillStands(request);
      // A browser keeps nothing of it for whoever sits there next.
      http.getResponse<Reply>().header('cache-control', 'no-store');
    }
    if (ability === 'signed-in') return true;
    const [action, subject] = ability;
    if (!abilitiesOf(principal).mayAny(action, subject)) throw forbidden(action, subject);
    return true;
  }

  /** Whoever sends a token is asked for that alone: a page of another site cannot send one. */
  async #principalOf(request: CookieRequest): Promise<Principal | null> {
    const { authorization } = request.headers;
    if (authorization === undefined) return this.sessions.authenticate(request);
    return this.authenticator.authenticate(typeof authorization === 'string' ? authorization : undefined);
  }
}
