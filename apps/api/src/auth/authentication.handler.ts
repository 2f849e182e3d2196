import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ApiProblem } from '../errors/api-problem.js';
import { Authenticator, type CallerIdentity } from './authenticator.js';

interface AuthenticatedRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  caller?: CallerIdentity;
}

/** Nobody unknown gets further than here. */
@Injectable()
export class AuthenticatedGuard implements CanActivate {
  constructor(@Inject(Authenticator) private readonly authenticator: Authenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const caller = await this.authenticator.authenticate(request.headers['authorization']);
    if (caller === null) throw new ApiProblem(401, 'auth.required', 'send a valid bearer token');
    request.caller = caller;
    return true;
  }
}

/** After the guard; without it there is no caller, and no answer. */
export function callerOf(request: { readonly caller?: CallerIdentity }): CallerIdentity {
  if (request.caller === undefined) throw new ApiProblem(401, 'auth.required', 'send a valid bearer token');
  return request.caller;
}
