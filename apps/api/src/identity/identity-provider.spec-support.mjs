// A real identity provider for specs, in a process of its own: `node identity-provider.spec-support.mjs '<json>'` with
// { port, host?, audience, keys, people: { [id]: { secret, claims } }, console?: { clientId, secret?, redirectUri } }. Whoever knows a secret gets a JWT that says
// those claims; with `console`, somebody who names themselves at its page, or says `?as=<id>` there, has signed in.
import Provider from 'oidc-provider';

const { port, host = '127.0.0.1', audience, keys, people, console: web } = JSON.parse(process.argv[2]);
const client = (id, more) => ({ client_id: id, redirect_uris: [], response_types: [], ...more });
const provider = new Provider(`http://${host}:${port}`, {
  jwks: { keys },
  clients: [
    ...Object.entries(people).map(([id, { secret }]) =>
      client(id, { client_secret: secret, grant_types: ['client_credentials'] }),
    ),
    ...(web === undefined
      ? []
      : [
          client(web.clientId, {
            ...(web.secret === undefined
              ? { token_endpoint_auth_method: 'none' }
              : { client_secret: web.secret, token_endpoint_auth_method: 'client_secret_basic' }),
            grant_types: ['authorization_code'],
            response_types: ['code'],
            redirect_uris: [web.redirectUri],
          }),
        ]),
  ],
  scopes: ['openid', 'profile', 'groups', 'api'],
  claims: { openid: ['sub'], profile: ['name'], groups: ['groups'] },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id]?.claims }) }),
  interactions: { url: (_context, { uid }) => `/person/${uid}` },
  loadExistingGrant: async ({ oidc }) => {
    const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid profile groups');
    await grant.save();
    return grant;
  },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      getResourceServerInfo: (_context, resource) => ({
        scope: 'api',
        audience: resource,
        accessTokenTTL: 600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: keys[0].alg } },
      }),
    },
  },
  extraTokenClaims: (_context, token) => people[token.clientId]?.claims,
});
provider.use(async (context, next) => {
  if (!context.path.startsWith('/person/')) return next();
  const { as } = context.query;
  if (as === undefined) {
    context.type = 'html';
    context.body = '<!doctype html><form><label>Who <input name="as"></label><button>Go on</button></form>';
    return;
  }
  const result = as === 'nobody' ? { error: 'access_denied' } : { login: { accountId: as } };
  await provider.interactionFinished(context.req, context.res, result);
  context.respond = false;
});
provider.listen(port, '127.0.0.1', () => process.stdout.write('listening\n'));
