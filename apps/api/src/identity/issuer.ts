import { ApiProblem } from '../errors/api-problem.js';

/** An issuer is asked over TLS, or on this machine. Throws a 422 problem. */
export function checkIssuer(issuer: string): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  const local = url !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  const plain = url !== null && url.username === '' && url.search === '' && url.hash === '';
  if (url !== null && plain && (url.protocol === 'https:' || (local && url.protocol === 'http:'))) return;
  throw new ApiProblem(422, 'request.invalid', 'body /oidc/issuer must be an https address without query', [
    { path: '/oidc/issuer', message: 'must be an https address without query' },
  ]);
}
