// A real identity provider for specs, in a process of its own: `node identity-provider.spec-support.mjs '<json>'` with
// { port, audience, keys, people: { [id]: { secret, claims } } }. Whoever knows a secret gets a JWT that says those claims.
import Provider from 'oidc-provider';

const { port, audience, keys, people } = JSON.parse(process.argv[2]);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  jwks: { keys },
  clients: Object.entries(people).map(([id, { secret }]) => ({
    client_id: id,
    client_secret: secret,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  })),
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
provider.listen(port, '127.0.0.1', () => process.stdout.write('listening\n'));
