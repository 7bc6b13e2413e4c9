// The bare engine: the published oidc-provider with its in-memory adapter and the configuration of the service
// (features/oidc-provider/engine/engine.ts), without our code. Its own models create codes and tokens in advance.
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { serveParent } from './answer-parent.mjs'

const { issuer, algorithm, client, scope, redirectUri, codeChallenge, person } = JSON.parse(process.env.BENCH_ENGINE)

// oidc-provider calls `URL.parse` of Node 22. With this polyfill it runs on Node 20.19, as in the service.
URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null)
// Its warnings are about settings that are not meant for production.
console.warn = () => {}

const fromServer = createRequire(new URL('package.json', process.env.BENCH_BUILD))
const load = (name) => import(pathToFileURL(fromServer.resolve(name)))
const { Provider } = await load('oidc-provider')
const { default: MemoryAdapter } = await load('oidc-provider/lib/adapters/memory_adapter.js')

const pair =
  algorithm === 'RS256'
    ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
const scopes = ['openid', 'offline_access', 'profile', 'email']
// The adapter's own store keeps only the last thousand entries, fewer than the codes and tokens of a batch.
const store = new Map()

const provider = new Provider(issuer, {
  adapter: (model) => new MemoryAdapter(model, store),
  jwks: { keys: [{ ...pair.privateKey.export({ format: 'jwk' }), kid: 'bench', use: 'sig', alg: algorithm }] },
  clients: [
    {
      client_id: client.clientId,
      client_secret: client.secret,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types: ['code'],
      id_token_signed_response_alg: algorithm,
      scope: [...scopes, client.ownScope].join(' '),
    },
  ],
  scopes: [...scopes, client.ownScope],
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'given_name', 'family_name', 'locale', 'updated_at'],
  },
  responseTypes: ['code'],
  clientDefaults: { id_token_signed_response_alg: algorithm },
  enabledJWA: { idTokenSigningAlgValues: [algorithm], dPoPSigningAlgValues: ['RS256', 'ES256'] },
  conformIdTokenClaims: false,
  pkce: { required: () => false },
  findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ ...person, sub: id }) }),
  issueRefreshToken: async (_ctx, relyingParty, code) =>
    relyingParty.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
  rotateRefreshToken: true,
  expiresWithSession: async () => false,
  // Codes are valid for an hour, because those of a batch are created before it begins.
  ttl: {
    AuthorizationCode: 3_600,
    AccessToken: 3_600,
    ClientCredentials: 3_600,
    IdToken: 3_600,
    RefreshToken: 2_592_000,
    Grant: 2_592_000,
  },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    claimsParameter: { enabled: true },
    dPoP: { enabled: true },
    rpInitiatedLogout: { enabled: false },
    introspection: { enabled: true, allowedPolicy: () => true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => issuer,
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx) => ({
        scope: ctx.oidc.params.grant_type === 'client_credentials' ? client.ownScope : scopes.join(' '),
        audience: issuer,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: algorithm, kid: 'bench' } },
      }),
    },
  },
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

/** The stored payload of a code or token, in the form that the engine's authorize endpoint writes. */
async function given(account) {
  const grant = new provider.Grant({ accountId: account, clientId: client.clientId })
  grant.addOIDCScope(scope)
  grant.addResourceScope(issuer, scope)
  return {
    accountId: account,
    client: await provider.Client.find(client.clientId),
    grantId: await grant.save(2_592_000),
    scope,
    claims: {},
    authTime: Math.floor(Date.now() / 1_000),
    amr: ['pwd'],
    sid: `sid-${account}`,
    sessionUid: `session-${account}`,
    expiresWithSession: false,
    gty: 'authorization_code',
  }
}

const MAKE = {
  code: async (account) => {
    const { gty: _gty, ...rest } = await given(account)
    return new provider.AuthorizationCode({
      ...rest,
      redirectUri,
      codeChallenge,
      codeChallengeMethod: 'S256',
      resource: issuer,
    }).save()
  },
  refresh: async (account) =>
    new provider.RefreshToken({ ...(await given(account)), resource: issuer, rotations: 0 }).save(),
  // Opaque, because there is no resource: the engine rejects JWTs at its own introspection and userinfo endpoints.
  access: async (account) => {
    const { amr: _amr, authTime: _authTime, ...rest } = await given(account)
    return new provider.AccessToken(rest).save()
  },
  revoked: async (account) => {
    const value = await MAKE.access(account)
    await (await provider.AccessToken.find(value)).destroy()
    return value
  },
}

const server = createServer(provider.callback())
server.listen(0, '127.0.0.1')
await once(server, 'listening')

serveParent({
  /** Removes the rest of the previous batch and creates `count` codes or tokens of a kind. */
  async stock({ kind, count, accounts }) {
    store.clear()
    const made = []
    for (let index = 0; index < count; index++) made.push(await MAKE[kind](accounts[index % accounts.length]))
    // Collects the garbage now, so that it is not measured with the requests.
    collectGarbage()
    return made
  },
  close: () => server.close(),
})
process.send({ port: server.address().port })
