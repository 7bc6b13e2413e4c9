import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeFor, exchangeCode, registerApp, type TestApp } from '../doubles/relying-party.js'
import { startScriptedProvider } from '../doubles/scripted-provider.js'
import { createAuthenticator } from '../factories/authenticator.js'
import {
  addUser,
  joinTeam,
  newEmail,
  onboardAdmin,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../factories/factories.js'
import { type App, enrollApp } from '../factories/factors.js'
import { PATCH, USER } from '../factories/scim.js'
import { addProvider, oidcProvider } from '../factories/sso.js'
import type { ApiResponse } from '../harness/api.js'
import { countHashes } from '../harness/count-hashes.js'
import { documentedRoutes, nameOf } from '../harness/openapi.js'
import { recordStatements } from '../harness/record-statements.js'
import { startService, type TestService } from '../harness/service.js'

/** Names of parameters and fields that accept or search for a password, a code, a token or an email address. */
const TAKES_CANDIDATE =
  /password$|^(user_?)?code$|^(device|user)_code$|_?(refresh|access|logout|subject|mfa)?_?token$|email$|^userName$|^csv$|login_?hint$|credential$|_hint$|^search$|^q$|^filter$|^Operations$|^SAMLRe(sponse|quest)$/i
/** Names that match the pattern although their value does not belong to a user. */
const NO_CANDIDATE = new Set(['trustsEmail', 'ldapBindPassword', 'bindPassword', 'token_type_hint'])

/** Routes whose response may depend on the candidate, because the specification requires it or no data of a user is compared. */
const EXCEPTIONS: Record<string, string> = {
  'POST /api/v1/auth/register': 'the specification requires 409 email_taken; limited by source',
  'GET /api/v1/groups': 'searches group names',
  'GET /scim/v2/{orgRef}/Groups': 'finds groups',
  'PATCH /scim/v2/{orgRef}/Groups/{groupId}': 'names members by ID',
  'POST /api/v1/oauth/introspect': 'possession of the token is enough',
  'POST /api/v1/oauth/revoke': 'possession of the token is enough; the response is always 200',
  'POST /api/v1/auth/mfa/passkey/enroll': 'the credential is a new one of the caller',
  'GET /api/v1/sso/oidc/{providerId}/callback': 'the code is from the provider, and the state from this browser',
  'POST /api/v1/sso/oidc/{providerId}/backchannel-logout': 'signed by the provider',
  'POST /api/v1/sso/saml/{orgId}/acs': 'signed by the provider',
  ...of('signed by the provider', ['GET', 'POST'], '/api/v1/sso/saml/{orgId}/slo'),
  ...of('a message of an application', ['GET', 'POST'], '/api/v1/sso/saml-idp/{appId}/sso'),
  ...of('a message of an application', ['GET', 'POST'], '/api/v1/sso/saml-idp/{appId}/slo'),
  'POST /api/v1/config/team-owners': 'for administrators of the instance, about members of a team without an owner',
  'POST /api/v1/applications/{appId}/try/token': 'the code belongs to the application of the caller',
  ...ofIssuers('the hint is a token that this service signed', ['GET', 'POST'], 'end-session'),
  ...ofIssuers('a pushed request is only stored', ['POST'], 'request'),
}

function of(why: string, methods: string[], path: string): Record<string, string> {
  return Object.fromEntries(methods.map((method) => [`${method} ${path}`, why]))
}
function ofIssuers(why: string, methods: string[], end: string): Record<string, string> {
  return Object.assign(
    {},
    ...['{issuer}', '{issuer}/{application}'].map((issuer) =>
      of(why, methods, `/api/v1/sso/oidc-idp/${issuer}/${end}`),
    ),
  )
}

/** The password of the user about whom callers send requests. */
const OF_TARGET = 'the password of the target'

interface Request {
  path: string
  body?: unknown
  form?: Record<string, string>
  headers?: Record<string, string>
}

interface Comparison {
  /** The kind of candidate. */
  about: string
  /** Returns the same request with a right and a wrong candidate. */
  requests(): Promise<[right: Request, wrong: Request]> | [right: Request, wrong: Request]
  /** The allowed difference of statements, if one request inserts an account that exists for the other. */
  slack?: number
  /** Returns the token to send instead of the caller's. */
  by?: () => Promise<string> | string
  /** Sends further requests that depend on the response. */
  outcome?: (answer: ApiResponse, token: string | undefined) => Promise<ApiResponse>
}

let service: TestService
let company: TestUser
let foreign: TestUser
let target: TestUser
let app: App
let oidcApp: TestApp
let ssoProviderId: string
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let scimTokens: Record<string, string>
const callers: Record<string, string | undefined> = { anonymous: undefined }

beforeAll(async () => {
  service = await startService({ env: { LIMIT_SOURCE_FAILURES: '0', LIMIT_ACCOUNT_FAILURES: '10000' } })
  await onboardAdmin(service)
  provider = await startScriptedProvider()
  company = await registerUser(service)
  foreign = await registerUser(service)
  target = await registerUser(service, { password: OF_TARGET })
  await verifyEmailAddress(service, target)
  await joinTeam(service, target, company.teamId)
  app = await enrollApp(service, target)
  const colleague = async (role: string) => {
    const user = await registerUser(service)
    await joinTeam(service, user, company.teamId, { role })
    const { body } = await service.api('POST', '/api/v1/auth/login', {
      body: { ...credentials(user), teamId: company.teamId },
    })
    return body.accessToken as string
  }
  const { body } = await service.api('POST', '/api/v1/api-tokens', {
    token: company.token,
    body: {
      name: 'All',
      scopes: ['org:read', 'users:read', 'users:write', 'users:credentials', 'members:write', 'audit:read'],
    },
  })
  Object.assign(callers, {
    member: await colleague('MEMBER'),
    'help desk': await colleague('HELP_DESK_ADMIN'),
    'owner of a foreign team': foreign.token,
    "owner of the user's team": company.token,
    'API token': body.token,
  })
  const scim = (token: string) => service.api('POST', '/api/v1/directory/scim/token', { token, body: {} })
  scimTokens = Object.fromEntries(
    await Promise.all([company, foreign].map(async (owner) => [owner.teamId, (await scim(owner.token)).body.token])),
  )
  oidcApp = await registerApp(service, company)
  ssoProviderId = (await addProvider(service, company, oidcProvider(provider))).id
})
afterAll(async () => {
  await service.close()
  await provider.close()
})

const credentials = ({ email, password }: Pick<TestUser, 'email' | 'password'>) => ({ email, password })
const unknownToken = () => randomBytes(32).toString('base64url')

/** Creates a verified account with a password, a name and no team, and returns its email address. */
async function knownEmail(): Promise<string> {
  const email = newEmail('known')
  await service.sql(
    `WITH added AS (INSERT INTO users (id, email, email_verified_at, first_name, status, self_registered, password_set_at, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, $3, 'Own', 'active', true, $3, $3, $3) RETURNING id)
     INSERT INTO passwords (user_id, hash, set_at) SELECT added.id, p.hash, p.set_at FROM added, passwords p WHERE p.user_id = $2`,
    [email, company.id, service.clock.now()],
  )
  return email
}

/** Pairs a request with the email address of an account and one with an unknown email address. */
const withEmail =
  (request: (email: string) => Request): Comparison['requests'] =>
  async () => [request(await knownEmail()), request(newEmail('free'))]

/** Pairs a request with an existing token (used, of another kind or another user) and one with an unknown token. */
const withToken =
  (used: () => Promise<string>, request: (token: string) => Request): Comparison['requests'] =>
  async () => [request(await used()), request(unknownToken())]

/** Creates a value on first use. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** Returns a redeemed mailed token. */
const usedToken = once(async () => {
  const { email } = await registerUser(service)
  const token = await requestToken(service, 'magic_link', email)
  await service.api('POST', '/api/v1/auth/verify', { body: { token } })
  return token
})

/** Returns a valid mailed token of another kind. */
const otherToken = once(async () => requestToken(service, 'password_reset', (await registerUser(service)).email))

/** Returns an exchanged code. */
const usedCode = once(async () => {
  const authorized = await codeFor(service, oidcApp, company)
  await exchangeCode(service, oidcApp, authorized)
  return authorized.code
})

/** Returns a session of the target that is restricted to the foreign team. */
const restrictedSession = once(async () => {
  const password = 'handed over by the help desk'
  await addUser(service, foreign, { email: target.email, temporaryPassword: password })
  const body = { email: target.email, password, teamId: foreign.teamId }
  return (await service.api('POST', '/api/v1/auth/login', { body })).body.accessToken as string
})

const invitePath = ({ teamId }: TestUser) => `/api/v1/organizations/${teamId}/members/invite`
const ofTarget = (path: string) => `/api/v1/users/${target.id}${path}`

/** Requests with a password, code, token or email address of another user, which every caller may send. */
const COMPARISONS: Record<string, Comparison[]> = {
  'POST /api/v1/auth/login': [
    {
      about: 'an email address',
      requests: withEmail((email) => ({ path: '/api/v1/auth/login', body: { email, password: 'wrong' } })),
    },
    {
      about: 'an email address, for a team that does not have it',
      requests: withEmail((email) => ({
        path: '/api/v1/auth/login',
        body: { email, password: 'wrong', teamId: foreign.teamId },
      })),
    },
  ],
  ...Object.fromEntries(
    ['magic-link', 'forgot-password'].map((path) => [
      `POST /api/v1/auth/${path}`,
      [
        {
          about: 'an email address',
          requests: withEmail((email) => ({ path: `/api/v1/auth/${path}`, body: { email } })),
        },
      ],
    ]),
  ),
  'POST /api/v1/auth/me/email': [
    { about: 'an email address', requests: withEmail((email) => ({ path: '/api/v1/auth/me/email', body: { email } })) },
  ],
  'POST /api/v1/onboard': [
    {
      about: 'an email address',
      requests: withEmail((adminEmail) => ({ path: '/api/v1/onboard', body: { adminEmail } })),
    },
  ],
  'POST /api/v1/onboard/setup-link': [
    {
      about: 'an email address',
      requests: withEmail((adminEmail) => ({
        path: '/api/v1/onboard/setup-link',
        body: { token: 'unknown', adminEmail },
      })),
    },
    {
      about: 'a token',
      requests: withToken(usedToken, (token) => ({
        path: '/api/v1/onboard/setup-link',
        body: { token, adminEmail: newEmail() },
      })),
    },
  ],
  'POST /api/v1/users': [
    // Inserts the account with its audit entries.
    {
      about: 'an email address',
      slack: 12,
      requests: withEmail((email) => ({ path: '/api/v1/users', body: { email } })),
    },
    {
      about: 'the own password',
      requests: async () => {
        const [one, other] = [await knownEmail(), await knownEmail()]
        const request = (email: string, temporaryPassword: string) => ({
          path: '/api/v1/users',
          body: { email, temporaryPassword },
        })
        return [request(one, PASSWORD), request(other, 'none of the passwords')]
      },
    },
  ],
  'POST /api/v1/users/{id}/password-reset': [
    {
      about: 'the own password',
      requests: () => {
        const request = (temporaryPassword: string) => ({
          path: ofTarget('/password-reset'),
          body: { temporaryPassword },
        })
        return [request(OF_TARGET), request('none of the passwords')]
      },
    },
  ],
  'POST /api/v1/organizations/{orgId}/members/invite': [
    {
      about: 'an email address',
      requests: withEmail((email) => ({ path: invitePath(company), body: { email, role: 'MEMBER' } })),
    },
    {
      about: 'an email address, by a foreign team',
      requests: withEmail((email) => ({ path: invitePath(foreign), body: { email, role: 'MEMBER' } })),
    },
  ],
  'POST /api/v1/users/import': [
    {
      about: 'an email address',
      requests: withEmail((email) => ({ path: '/api/v1/users/import', body: { csv: `email\n${email}\n` } })),
      outcome: async (started, token) => {
        if (started.status !== 201) return started
        await service.settle()
        return service.api('GET', `/api/v1/users/imports/${started.body.runId}`, { token })
      },
    },
  ],
  'POST /api/v1/users/bulk': [
    {
      about: 'an email address in the filter',
      requests: withEmail((search) => ({
        path: '/api/v1/users/bulk',
        body: { action: 'end_sessions', filter: { search } },
      })),
      outcome: async (started, token) => {
        if (started.status !== 201) return started
        await service.settle()
        return service.api('GET', `/api/v1/users/bulk/${started.body.runId}`, { token })
      },
    },
  ],
  'GET /api/v1/search': [
    {
      about: 'an email address',
      requests: withEmail((email) => ({ path: `/api/v1/search?q=${encodeURIComponent(email)}` })),
    },
  ],
  'GET /api/v1/users': [
    {
      about: 'an email address',
      requests: withEmail((email) => ({ path: `/api/v1/users?search=${encodeURIComponent(email)}` })),
    },
  ],
  ...Object.fromEntries(
    ['logs', 'logs/export', 'stats'].map((path) => [
      `GET /api/v1/audit/${path}`,
      [
        {
          about: 'an email address',
          requests: withEmail((email) => ({ path: `/api/v1/audit/${path}?q=${encodeURIComponent(email)}` })),
        },
      ],
    ]),
  ),
  'GET /scim/v2/{orgRef}/Users': scimComparisons((teamId) =>
    withEmail((email) => ({
      path: `/scim/v2/${teamId()}/Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`,
    })),
  ),
  // 201 with the ID of the existing account, as the specification requires.
  'POST /scim/v2/{orgRef}/Users': scimComparisons(
    (teamId) => withEmail((userName) => ({ path: `/scim/v2/${teamId()}/Users`, body: { schemas: [USER], userName } })),
    12,
  ),
  // A rename to the email address of another account is 409 uniqueness for a team that may rename. Other teams get the same response.
  'PUT /scim/v2/{orgRef}/Users/{userId}': scimComparisons((teamId) =>
    withEmail((userName) => ({ path: `/scim/v2/${teamId()}/Users/${target.id}`, body: { schemas: [USER], userName } })),
  ),
  'PATCH /scim/v2/{orgRef}/Users/{userId}': scimComparisons((teamId) =>
    withEmail((userName) => ({
      path: `/scim/v2/${teamId()}/Users/${target.id}`,
      body: { schemas: [PATCH], Operations: [{ op: 'replace', value: { userName } }] },
    })),
  ),
  'GET /api/v1/sso/oidc/{providerId}/login': [
    {
      about: 'an email address',
      requests: withEmail((email) => ({
        path: `/api/v1/sso/oidc/${ssoProviderId}/login?loginHint=${encodeURIComponent(email)}`,
      })),
    },
  ],
  'GET /api/v1/sso/saml/{orgId}/login': [
    {
      about: 'an email address',
      requests: withEmail((email) => ({
        path: `/api/v1/sso/saml/${company.teamId}/login?loginHint=${encodeURIComponent(email)}`,
      })),
    },
  ],
  ...atIssuers('GET', 'authorize', (idp) => [
    {
      about: 'an email address',
      requests: withEmail((email) => ({ path: `${idp()}/authorize?${new URLSearchParams(authorizeForm(email))}` })),
    },
  ]),
  ...atIssuers('POST', 'authorize', (idp) => [
    {
      about: 'an email address',
      requests: withEmail((email) => ({ path: `${idp()}/authorize`, form: authorizeForm(email) })),
    },
  ]),
  ...Object.fromEntries(
    ['verify', 'verify-email', 'disown', 'confirm-email'].map((path) => [
      `POST /api/v1/auth/${path}`,
      [usedToken, otherToken].map((held) => ({
        about: held === usedToken ? 'a token that was used' : 'a token of another kind',
        // The token of another kind is valid only for the reset.
        requests: withToken(held, (token) => ({ path: `/api/v1/auth/${path}`, body: { token } })),
      })),
    ]),
  ),
  'POST /api/v1/auth/reset-password': [
    {
      about: 'a token',
      requests: withToken(usedToken, (token) => ({
        path: '/api/v1/auth/reset-password',
        body: { token, newPassword: PASSWORD },
      })),
    },
  ],
  'POST /api/v1/auth/reset-password/rules': [
    {
      about: 'a token',
      requests: withToken(usedToken, (token) => ({ path: '/api/v1/auth/reset-password/rules', body: { token } })),
    },
  ],
  'POST /api/v1/auth/refresh': [
    {
      about: 'a token',
      requests: withToken(usedToken, (refreshToken) => ({ path: '/api/v1/auth/refresh', body: { refreshToken } })),
    },
  ],
  'GET /api/v1/invitations/{token}': [
    { about: 'a token', requests: withToken(otherToken, (token) => ({ path: `/api/v1/invitations/${token}` })) },
  ],
  'POST /api/v1/invitations/accept': [
    {
      about: 'a token',
      requests: withToken(otherToken, (token) => ({
        path: '/api/v1/invitations/accept',
        body: { token, password: PASSWORD },
      })),
    },
  ],
  'POST /api/v1/auth/change-password': [
    ofRestricted('/auth/change-password', (currentPassword) => ({
      currentPassword,
      newPassword: 'chosen for this team',
    })),
    {
      about: 'the password of another user',
      requests: () => {
        const request = (currentPassword: string) => ({
          path: '/api/v1/auth/change-password',
          body: { currentPassword, newPassword: 'another one of mine' },
        })
        return [request(OF_TARGET), request('none of the passwords')]
      },
    },
  ],
  'POST /api/v1/auth/reauthenticate': [
    ofRestricted('/auth/reauthenticate', (password) => ({ password })),
    {
      about: 'the code of another user',
      requests: () => {
        const request = (code: string) => ({ path: '/api/v1/auth/reauthenticate', body: { code } })
        return [request(app.code()), request('000000')]
      },
    },
  ],
  'POST /api/v1/auth/mfa/disable': [ofRestricted('/auth/mfa/disable', (password) => ({ password }))],
  'POST /api/v1/auth/mfa/enroll/verify': [
    {
      about: 'the code of another user',
      requests: () => {
        const request = (code: string) => ({
          path: '/api/v1/auth/mfa/enroll/verify',
          body: { methodId: app.methodId, code },
        })
        return [request(app.code()), request('000000')]
      },
    },
  ],
  'POST /api/v1/auth/mfa/verify-challenge': [
    {
      about: 'the code of another user, without their challenge',
      requests: () => {
        const request = (code: string) => ({
          path: '/api/v1/auth/mfa/verify-challenge',
          body: { mfaToken: unknownToken(), code },
        })
        return [request(app.code()), request('000000')]
      },
    },
    {
      about: 'a challenge',
      requests: withToken(usedToken, (mfaToken) => ({
        path: '/api/v1/auth/mfa/verify-challenge',
        body: { mfaToken, code: '000000' },
      })),
    },
  ],
  'POST /api/v1/auth/mfa/other-team': [
    {
      about: 'a challenge',
      requests: withToken(usedToken, (mfaToken) => ({ path: '/api/v1/auth/mfa/other-team', body: { mfaToken } })),
    },
  ],
  'POST /api/v1/auth/mfa/passkey/challenge/options': [
    {
      about: 'a challenge',
      requests: withToken(otherToken, (mfaToken) => ({
        path: '/api/v1/auth/mfa/passkey/challenge/options',
        body: { mfaToken },
      })),
    },
  ],
  'POST /api/v1/auth/mfa/passkey/challenge/verify': [
    {
      about: 'a challenge',
      requests: async () => {
        const credential = await passkeyAnswer()
        const request = (mfaToken: string) => ({
          path: '/api/v1/auth/mfa/passkey/challenge/verify',
          body: { mfaToken, credential },
        })
        return [request(await otherToken()), request(unknownToken())]
      },
    },
  ],
  'POST /api/v1/auth/passkey/verify': [
    {
      about: 'whose passkey it is',
      requests: async () => {
        const request = (credential: unknown) => ({ path: '/api/v1/auth/passkey/verify', body: { credential } })
        return [request(await passkeyAnswer(target.id)), request(await passkeyAnswer())]
      },
    },
  ],
  'POST /api/v1/oauth/device/verify': [
    {
      about: 'a code',
      requests: () => {
        const request = (userCode: string) => ({ path: '/api/v1/oauth/device/verify', body: { userCode } })
        return [request('BCDF-GHJK'), request('LMNP-QRST')]
      },
    },
  ],
  'POST /api/v1/oauth/token': tokenComparisons(() => '/api/v1/oauth/token'),
  ...atIssuers('POST', 'token', (idp) => tokenComparisons(() => `${idp()}/token`)),
  ...atIssuers('POST', 'userinfo', (idp) => [
    {
      about: 'an account token of another user',
      requests: () => {
        const request = (access_token: string) => ({ path: `${idp()}/userinfo`, form: { access_token } })
        return [request(foreign.token), request(unknownToken())]
      },
    },
  ]),
}

/** Requests about the user's own password that a restricted session may send. */
function ofRestricted(path: string, body: (password: string) => object): Comparison {
  return {
    about: 'the own password, in a session that a team controls',
    by: restrictedSession,
    requests: () => [
      { path: `/api/v1${path}`, body: body(OF_TARGET) },
      { path: `/api/v1${path}`, body: body('none of the passwords') },
    ],
  }
}

function scimComparisons(requestsOf: (teamId: () => string) => Comparison['requests'], slack = 0): Comparison[] {
  return [() => company.teamId, () => foreign.teamId].map((teamId, index) => ({
    about: `an email address, requested by the directory of ${index === 0 ? "the user's team" : 'a foreign team'}`,
    slack,
    by: () => scimTokens[teamId()] ?? '',
    requests: requestsOf(teamId),
  }))
}

/** Repeats the comparisons for both forms of an issuer. */
function atIssuers(
  method: string,
  end: string,
  comparisons: (idp: () => string) => Comparison[],
): Record<string, Comparison[]> {
  const forms = { '{issuer}': () => company.teamId, '{issuer}/{application}': () => `${company.teamId}/${oidcApp.id}` }
  return Object.fromEntries(
    Object.entries(forms).map(([form, path]) => [
      `${method} /api/v1/sso/oidc-idp/${form}/${end}`,
      comparisons(() => `/api/v1/sso/oidc-idp/${path()}`),
    ]),
  )
}

const authorizeForm = (login_hint: string) => ({
  client_id: oidcApp.clientId,
  redirect_uri: oidcApp.redirectUri,
  response_type: 'code',
  scope: 'openid',
  state: 'state',
  login_hint,
})

/** Comparisons for used codes and refresh tokens, and for tokens of users of other teams. */
function tokenComparisons(path: () => string): Comparison[] {
  const request = (form: Record<string, string>): Request => ({
    path: path(),
    form: { client_id: oidcApp.clientId, client_secret: oidcApp.secret ?? '', ...form },
  })
  const code = (value: string) =>
    request({ grant_type: 'authorization_code', code: value, redirect_uri: oidcApp.redirectUri })
  return [
    // A reused code revokes the tokens that were issued for it, which takes another read.
    { about: 'a code that was used', slack: 1, requests: withToken(usedCode, code) },
    {
      about: 'a refresh token of an account',
      requests: withToken(
        async () => foreign.refreshToken,
        (refresh_token) => request({ grant_type: 'refresh_token', refresh_token }),
      ),
    },
    {
      about: 'an account token of another user',
      requests: withToken(
        async () => foreign.token,
        (subject_token) =>
          request({
            grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
            subject_token,
            subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          }),
      ),
    },
  ]
}

/** Returns the response of an unregistered authenticator, optionally with a user handle. */
async function passkeyAnswer(userHandle?: string): Promise<unknown> {
  const { body: options } = await service.api('POST', '/api/v1/auth/passkey/options')
  const authenticator = createAuthenticator()
  authenticator.create({
    rp: { id: options.rpId, name: 'x' },
    user: { id: Buffer.from(userHandle ?? 'unknown').toString('base64url'), name: 'x', displayName: 'x' },
    challenge: options.challenge,
    pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  })
  return authenticator.get(options)
}

const send = (route: string, { path, body, form, headers }: Request, token: string | undefined): Promise<ApiResponse> =>
  service.api(route.split(' ')[0] ?? '', path, {
    token,
    node: 0,
    ...(form ? { raw: new URLSearchParams(form).toString() } : body !== undefined && { body }),
    headers: {
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(path.startsWith('/scim/') && body !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    },
  })

/** Returns the comparable part of a response, without the candidate and values that differ between requests. */
function seen({ status, text, headers }: ApiResponse, request: Request): { status: number; text: string; to: string } {
  const candidates = [
    JSON.stringify(request.body ?? {}),
    JSON.stringify(request.form ?? {}),
    decodeURIComponent(request.path),
  ]
    .join(' ')
    .replaceAll('\\n', ' ')
    .match(/[\w.+-]+@[\w.-]+|[\w-]{43}/g)
  const masked = (given: string) =>
    [...(candidates ?? [])]
      .reduce(
        (so, candidate) =>
          so.replaceAll(candidate, '<candidate>').replaceAll(encodeURIComponent(candidate), '<candidate>'),
        given,
      )
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/W\/\\?"[^"]+"/g, '<etag>')
  const to = headers.get('location') ?? ''
  return { status, text: masked(text), to: to && masked(to).split('?')[0] + (to.includes('error=') ? ' error' : '') }
}

/** Matches transactions that do not belong to a request: those of concurrent jobs and of the request list of a directory. */
const OF_JOBS =
  /UPDATE "?jobs|delete from "?jobs|from "mails"|update "mails"|audit_seals|audit_pending.*(LIMIT|SKIP)|scim_requests/i
/** Routes that enqueue a job which issues the link. */
const ISSUES_LATER = /magic-link|forgot-password|password-reset/

/** The number of statements of a request and of passwords that it hashed. */
interface Work {
  statements: number
  texts: string[]
  hashes: number
}

/** Sends a request and returns the response with the work that it caused. */
async function workOf(route: string, act: () => Promise<ApiResponse>): Promise<{ answer: ApiResponse } & Work> {
  const { result: recorded, hashes } = await countHashes(() => recordStatements(act))
  const { result: answer, transactions } = recorded
  const isOfJob = (text: string) => OF_JOBS.test(text) || (ISSUES_LATER.test(route) && text.includes('one_time_tokens'))
  const texts = transactions.filter((statements) => !statements.some(isOfJob)).flat()
  return { answer, statements: texts.length, texts, hashes }
}

describe('a request with a secret or the email address of another user', () => {
  it('exists as a comparison or an exception for every route that accepts a password, a code, a token or an email address', async () => {
    const takesOne = (await documentedRoutes(service)).filter((route) =>
      [...route.params, ...route.query, ...Object.keys(route.body?.properties ?? {})].some(
        (name) => TAKES_CANDIDATE.test(name) && !NO_CANDIDATE.has(name),
      ),
    )
    const classified = [...Object.keys(COMPARISONS), ...Object.keys(EXCEPTIONS)]
    expect(takesOne.map(nameOf).filter((name) => !classified.includes(name))).toEqual([])
    const known = (await documentedRoutes(service)).map(nameOf)
    expect(classified.filter((name) => !known.includes(name))).toEqual([])
  })

  it.each(Object.keys(COMPARISONS))(
    'gets the same response after the same work for a right and a wrong candidate at %s, for every caller',
    async (route) => {
      for (const comparison of COMPARISONS[route] ?? []) {
        const senders = comparison.by ? { 'the session itself': await comparison.by() } : callers
        for (const [caller, token] of Object.entries(senders)) {
          const what = `${route}: ${comparison.about}, sent by ${caller}`
          let [right, wrong] = await compare(route, comparison, token)
          expect(right.seen, what).toEqual(wrong.seen)
          // Cache reads and background writes do not depend on the candidate, so a difference does not repeat.
          for (let again = 0; again < 3 && differ(right, wrong, comparison); again++)
            [right, wrong] = await compare(route, comparison, token)
          if (differ(right, wrong, comparison)) expect(right.work, `${what}: work`).toEqual(wrong.work)
        }
      }
    },
  )
})

interface Result {
  seen: ReturnType<typeof seen>
  work: Work
}

async function compare(route: string, comparison: Comparison, token: string | undefined): Promise<[Result, Result]> {
  const results: Result[] = []
  for (const request of await comparison.requests()) {
    const { answer, ...work } = await workOf(route, () => send(route, request, token))
    const last = comparison.outcome ? await comparison.outcome(answer, token) : answer
    results.push({ seen: seen(last, request), work })
    // Jobs of this request must not run during the next one.
    if (answer.status < 300) await service.settle()
  }
  return results as [Result, Result]
}

const differ = ({ work: right }: Result, { work: wrong }: Result, { slack = 0 }: Comparison): boolean =>
  right.hashes !== wrong.hashes || Math.abs(right.statements - wrong.statements) > slack
