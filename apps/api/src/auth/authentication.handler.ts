import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { WrongStackError } from '@wrongstack/contracts';
import { ROUTE, type CompiledRoute } from '../http/route.handler.js';
import { Authenticator } from './authenticator.js';
import { CallerLimit } from './caller-limit.js';
import { type Authenticated, forbidden, unauthenticated } from './caller.js';
import { abilitiesOf } from './compile-ability.js';

/** Nobody gets further than here who is not known, or who may not do at all what the route does. Each handler, whatever its path. */
@Injectable()
export class RouteGuard implements CanActivate {
  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(CallerLimit) private readonly limit: CallerLimit,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = Reflect.getMetadata(ROUTE, context.getHandler()) as CompiledRoute | undefined;
    // Cannot happen after the check at start; if it did, a route without a contract would be open.
    if (route === undefined) throw new WrongStackError('api.route_unguarded', 'this route has no contract');
    const { ability } = route.contract;
    if (ability === 'public') return true;
    const request = context.switchToHttp().getRequest<Authenticated>();
    const { authorization } = request.headers;
    const principal = await this.authenticator.authenticate(
      typeof authorization === 'string' ? authorization : undefined,
    );
    if (principal === null) throw unauthenticated();
    this.limit.take(principal.id);
    request.principal = principal;
    if (ability === 'signed-in') return true;
    const [action, subject] = ability;
    if (!abilitiesOf(principal).mayAny(action, subject)) throw forbidden(action, subject);
    return true;
  }
}
