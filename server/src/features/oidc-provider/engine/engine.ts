import inject from 'light-my-request'
import type { Configuration, KoaContextWithOIDC, Provider as ProviderType } from 'oidc-provider'
import { SECOND } from '../../../platform/clock.js'
import { proofKeyError } from '../../../protocols/dpop/index.js'
import { readCompactJwt } from '../../../protocols/jws/index.js'
import { CLAIMS_BY_SCOPE, type IssuerKeys, standardClaimsOf } from '../../oidc-config/index.js'
import {
  assertionTimeError,
  failedAuthentication,
  USED_ASSERTION,
  verifyAssertion,
} from '../clients/client-assertion.js'
import { DPOP_ALGORITHMS } from '../discovery/discovery.js'
import { isSecretOf } from '../model/client-secret.js'
import { USER_SCOPES } from '../model/default-scopes.js'
import { DEVICE_GRANT } from '../model/grant-types.js'
import { effectiveAccessLifetime, LIFETIMES, MIN_GRANT_LIFETIME } from '../model/lifetimes.js'
import { EngineAdapter, grantPayload, newGrantId } from './engine-adapter.js'
import { engineContext, requireClient } from './engine-context.js'
import { engineState, errors, interactionPolicy, Provider } from './engine-library.js'
import { overrideTokenSigning } from './engine-tokens.js'
import { registerTokenExchange } from './token-exchange-grant.js'
import { successorOfToken } from './token-reuse.js'

/** An instance of the OAuth engine (oidc-provider) for one issuer with one set of keys. Only this folder imports the library. */
export interface Engine {
  /** Handles one request in memory, without a network connection. */
  handle(request: EngineRequest): Promise<EngineResponse>
}

export interface EngineRequest {
  method: 'GET' | 'POST'
  /** The path in the engine with the query, such as `/token`. */
  path: string
  /** The requested public URL: audiences and DPoP proofs are compared with it. */
  publicUrl: string
  headers?: Record<string, string>
  body?: string
}

export interface EngineResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/** The cookies by which the engine finds its session and the interaction to resume. They never leave the process. */
const SESSION_COOKIE = 'engine_session'
const RESUME_COOKIE = 'engine_resume'

/** Settings that all engines share. */
export interface EngineSetup {
  frontendUrl: string
  /** Secret of the DPoP nonces, the same on every node: 32 bytes. */
  dpopSecret: Buffer
  /** Key of the access token seal, the same on every node. */
  seal: Buffer
}

export function createEngine(issuer: string, keys: IssuerKeys, setup: EngineSetup): Engine {
  const provider = new Provider(issuer, configurationOf(issuer, keys, setup))
  provider.proxy = true
  registerTokenExchange(provider)
  adjustModels(provider)
  overrideTokenSigning(provider, keys, setup.seal)
  engineState(provider).responseModes.set('form_post', returnForm)
  provider.on('server_error', (_ctx, error) => {
    engineContext().outcome.internalError = error
  })
  const completeError = (ctx: KoaContextWithOIDC, error: EngineError) => {
    correctErrorCode(ctx, error)
    explainAssertion(ctx, error)
  }
  provider.on('grant.error', completeError)
  provider.on('device_authorization.error', completeError)
  provider.on('pushed_authorization_request.error', completeError)
  const serve = provider.callback()

  return {
    async handle({ method, path, publicUrl, headers = {}, body }) {
      const { session } = engineContext()
      const { host, protocol, pathname } = new URL(publicUrl)
      const uid = /^\/authorize\/([^/?]+)$/.exec(path)?.[1]
      const cookies = [session && `${SESSION_COOKIE}=live`, uid && `${RESUME_COOKIE}=${uid}`].filter(Boolean)
      const response = await inject(
        (request, reply) => {
          Object.assign(request, { originalUrl: `${pathname}${path.slice(path.split('?')[0]?.length)}`, url: path })
          serve(request, reply)
        },
        {
          method,
          url: path,
          headers: {
            ...headers,
            host,
            'x-forwarded-host': host,
            'x-forwarded-proto': protocol.slice(0, -1),
            ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
          },
          ...(body !== undefined && { payload: body }),
        },
      )
      return { status: response.statusCode, headers: plainHeaders(response.headers), body: response.payload }
    },
  }
}

/** Returns the response as a value instead of a page, because a response after a consent is sent by a later request. */
function returnForm(ctx: KoaContextWithOIDC, redirectUri: string, fields: Record<string, string>): void {
  engineContext().outcome.form = { redirectUri, fields }
  if (ctx.status < 500) ctx.status = 200
  ctx.body = ''
}

/** Errors for which the engine has the code invalid_request instead of that of RFC 6749 5.2. */
const GRANT_TYPE_NOT_ALLOWED = ['requested grant type', DEVICE_GRANT].map(
  (type) => `${type} is not allowed for this client`,
)

interface EngineError {
  error?: string
  error_description?: string
  /** The cause, which the engine does not send to the client. */
  error_detail?: string
}

function correctErrorCode(ctx: KoaContextWithOIDC, { error_description: description = '' }: EngineError): void {
  if (GRANT_TYPE_NOT_ALLOWED.includes(description)) ctx.body = { ...(ctx.body as object), error: 'unauthorized_client' }
}

/** Adds the reason to the error of a client assertion. The engine discloses none. */
function explainAssertion(ctx: KoaContextWithOIDC, { error, error_detail: detail }: EngineError): void {
  const { client, clock, outcome } = engineContext()
  const assertion = ctx.oidc.params?.client_assertion
  if (error !== 'invalid_client' || typeof assertion !== 'string') return
  if (client?.tokenEndpointAuthMethod !== 'private_key_jwt') return
  const verified = verifyAssertion(readCompactJwt(assertion), {
    clientId: client.clientId,
    keys: client.jwks?.keys ?? [],
    audiences: [...ctx.oidc.clientJwtAuthExpectedAudience()],
    now: clock.ms() / SECOND,
  })
  const wasUsed = detail === 'client assertion tokens must only be used once'
  const violation = 'reason' in verified ? verified : wasUsed ? USED_ASSERTION : undefined
  outcome.clientError = violation?.reason
  ctx.body = { ...(ctx.body as object), error_description: failedAuthentication(violation) }
}

/** Returns the headers that the client receives, which excludes the engine's cookies. */
function plainHeaders(headers: Record<string, unknown>): Record<string, string> {
  const passed = ['location', 'content-type', 'www-authenticate', 'dpop-nonce', 'cache-control', 'pragma']
  return Object.fromEntries(
    passed.filter((name) => headers[name] !== undefined).map((name) => [name, String(headers[name])]),
  )
}

function configurationOf(issuer: string, keys: IssuerKeys, { frontendUrl, dpopSecret }: EngineSetup): Configuration {
  const { idToken, accessToken } = keys
  // Include keys that only verify: an ID token that they signed is a valid hint.
  const signing = [...new Set([idToken, accessToken, ...keys.all])]
  return {
    adapter: EngineAdapter as unknown as NonNullable<Configuration['adapter']>,
    jwks: {
      keys: signing.map((key) => ({
        ...key.privateKey.export({ format: 'jwk' }),
        kid: key.kid,
        use: 'sig',
        alg: key.algorithm,
      })),
    } as never,
    cookies: {
      names: { session: SESSION_COOKIE, interaction: 'engine_interaction', resume: RESUME_COOKIE },
      long: { signed: false },
      short: { signed: false },
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      userinfo: '/userinfo',
      jwks: '/jwks',
      end_session: '/end-session',
      pushed_authorization_request: '/request',
      device_authorization: '/device/auth',
      code_verification: '/device',
    },
    scopes: [...USER_SCOPES],
    claims: Object.fromEntries(Object.entries(CLAIMS_BY_SCOPE).map(([scope, claims]) => [scope, [...claims]])),
    responseTypes: ['code'],
    clientDefaults: { id_token_signed_response_alg: idToken.algorithm as never },
    enabledJWA: {
      idTokenSigningAlgValues: [...new Set(signing.map(({ algorithm }) => algorithm))] as never,
      dPoPSigningAlgValues: [...DPOP_ALGORITHMS],
    },
    // Include the claims of granted scopes in the ID token: most relying parties never request userinfo.
    conformIdTokenClaims: false,
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: (_ctx, client) => client.clientAuthMethod === 'none' },
    clockTolerance: LIFETIMES.clockDifference,
    assertJwtClientAuthClaimsAndHeader: async (_ctx, claims) => {
      const error = assertionTimeError(claims, engineContext().clock.ms() / SECOND)
      if (error) throw new errors.InvalidClientAuth(error)
    },
    findAccount,
    issueRefreshToken: async (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
    rotateRefreshToken: () => tokenPolicyOf().rotationEnabled,
    expiresWithSession: async () => false,
    loadExistingGrant: async () => existingGrant(issuer) as never,
    ttl: {
      AuthorizationCode: LIFETIMES.authorizationCode,
      AccessToken: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? currentAccessLifetime(),
      ClientCredentials: () => tokenPolicyOf().accessTokenLifetime,
      IdToken: () => tokenPolicyOf().idTokenLifetime,
      RefreshToken: () => tokenPolicyOf().refreshTokenLifetime,
      DeviceCode: LIFETIMES.deviceCode,
      Interaction: LIFETIMES.interaction,
      Session: MIN_GRANT_LIFETIME,
      Grant: MIN_GRANT_LIFETIME,
    },
    interactions: {
      policy: interactionChecks(),
      url: (_ctx, interaction) =>
        `${frontendUrl}/${interaction.prompt.name}?${new URLSearchParams({ uid: interaction.uid, idp: issuer })}`,
    },
    extraParams: { keyward: checkAuthorizeParameters as never },
    renderError: (ctx, out) => {
      ctx.type = 'json'
      ctx.body = JSON.stringify(out)
    },
    clientBasedCORS: () => false,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      claimsParameter: { enabled: true },
      dPoP: {
        enabled: true,
        nonceSecret: dpopSecret,
        requireNonce: (ctx) => {
          // The engine calls this right before it verifies the proof with the key in its header.
          const violation = proofKeyError(ctx.get('dpop'))
          if (violation) throw new errors.InvalidDpopProof(violation)
          return engineContext().client?.dpopNonceEnabled ?? false
        },
      },
      deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf ?? issuer,
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource) => resourceServer(ctx, resource, issuer, keys),
      },
    },
  } as Configuration
}

/** Returns the token policy of the requesting client. */
const tokenPolicyOf = () => requireClient().config.tokenPolicy

const currentAccessLifetime = (): number => {
  const { clock, presented } = engineContext()
  return effectiveAccessLifetime(clock, tokenPolicyOf(), presented?.grant.endsAt)
}

/** Returns a resource: the issuer itself or a resource server that is registered for the application. Access tokens are JWTs (RFC 9068). */
function resourceServer(ctx: KoaContextWithOIDC, resource: string, issuer: string, keys: IssuerKeys) {
  const { client } = engineContext()
  if (resource !== issuer && !client?.resources.includes(resource)) throw new errors.InvalidTarget()
  const allowed = client?.scopes ?? []
  const withoutUser = ctx.oidc.params?.grant_type === 'client_credentials'
  // Scopes about a user are ignored without one.
  const usable = withoutUser ? allowed.filter((scope) => !USER_SCOPES.includes(scope)) : allowed
  const requested = String(ctx.oidc.params?.scope ?? '')
    .split(' ')
    .filter(Boolean)
  if (withoutUser && requested.length > 0 && !requested.some((scope) => usable.includes(scope)))
    throw new errors.InvalidScope('none of these scopes is allowed', requested.join(' '))
  return {
    scope: usable.join(' '),
    audience: resource,
    accessTokenFormat: 'jwt' as const,
    accessTokenTTL: currentAccessLifetime(),
    jwt: { sign: { alg: keys.accessToken.algorithm as never, kid: keys.accessToken.kid } },
  }
}

const findAccount: Configuration['findAccount'] = async (_ctx, id) => {
  const { session, presented } = engineContext()
  const userAttributes = [session?.userAttributes, presented?.userAttributes].find((known) => known?.id === id)
  return (
    userAttributes && {
      accountId: userAttributes.id,
      claims: async () => standardClaimsOf(userAttributes) as { sub: string },
    }
  )
}

/** Returns the user's consent as a grant for the engine. The grant is stored later, together with its code. */
function existingGrant(issuer: string) {
  const context = engineContext()
  const { session, client, newConsent } = context
  const { scopes, claims } = newConsent ?? session?.consent ?? { scopes: [], claims: [] }
  if (!session || !client || scopes.length === 0) return undefined
  const grant = { id: newGrantId(context), userId: session.userId, clientId: client.clientId, scopes, claims }
  return new (Provider.ctx as KoaContextWithOIDC).oidc.provider.Grant(
    grantPayload(grant, [issuer, ...client.resources]) as never,
  )
}

/** Returns the checks that decide whether the user must sign in or consent: those of the standard and of this service. */
function interactionChecks() {
  const { Check, base } = interactionPolicy
  const policy = base()
  const consent = policy.get('consent')
  // This service has no native clients as a separate type.
  consent?.checks.remove('native_client_prompt')
  consent?.checks.add(
    new Check('not_assigned', 'the user may not use this application', 'access_denied', () => {
      const { session } = engineContext()
      return session !== undefined && !session.mayUse
    }),
    0,
  )
  return policy
}

/**
 * Runs last for an authorization request, after the client and redirect URI were verified. Enforces parameters that the standards do not
 * require, and determines the scopes.
 */
function checkAuthorizeParameters(ctx: KoaContextWithOIDC): void {
  const { params, route } = ctx.oidc
  const { client, requestedScope } = engineContext()
  if (!params || !client) return
  // A device authorization has no redirect, so it needs no state.
  for (const name of route === 'device_authorization' ? ['scope'] : ['state', 'scope'])
    if (!(name === 'scope' ? requestedScope : params[name]))
      throw new errors.InvalidRequest(`missing required parameter(s) '${name}'`)
  // The engine drops offline_access without prompt=consent; here it is granted whenever it is allowed and consented.
  const requested = [...new Set(requestedScope?.split(' '))]
  const allowed = requested.filter((scope) => client.scopes.includes(scope) && mayHave(client.grantTypes, scope))
  if (allowed.length === 0) throw new errors.InvalidScope('none of these scopes is allowed', requestedScope ?? '')
  params.scope = allowed.join(' ')
}

const mayHave = (grantTypes: string[], scope: string): boolean =>
  scope !== 'offline_access' || grantTypes.includes('refresh_token')

/** Overrides behaviour of the engine's models. */
function adjustModels(provider: ProviderType): void {
  // Redirect URIs were validated at registration; the engine's rules by client type do not apply.
  const { Schema } = provider.Client as unknown as { Schema: { prototype: { redirectUris(): void } } }
  Schema.prototype.redirectUris = () => {}

  const client = provider.Client.prototype as unknown as {
    clientId: string
    compareClientSecret(actual: string): boolean
    includeSid(): boolean
  }
  client.compareClientSecret = function compareClientSecret(actual) {
    const { client: known, clock } = engineContext()
    return known?.clientId === this.clientId && isSecretOf(known, actual, clock.now())
  }
  // Every ID token contains `sid`, which a sign-out with the ID token as a hint requires.
  client.includeSid = () => true

  const refreshToken = provider.RefreshToken.prototype as unknown as { generateTokenId(): string }
  const drawTokenId = refreshToken.generateTokenId
  // The successor of a refresh token is derived, so that a lost response can be repeated.
  refreshToken.generateTokenId = function generateTokenId() {
    const { presented } = engineContext()
    return presented?.kind === 'RefreshToken'
      ? successorOfToken(presented.successorKey, presented.token)
      : drawTokenId.call(this)
  }
}
