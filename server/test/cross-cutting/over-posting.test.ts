import { generateKeyPairSync } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { buildSpMetadata } from '../../src/protocols/saml/index.js'
import { metadataOf } from '../doubles/metadata-server.js'
import { authorize, registerApp, tokensFor, uidOf, withIssuerPath } from '../doubles/relying-party.js'
import { createAuthenticator } from '../factories/authenticator.js'
import { CERTIFICATE } from '../factories/certified-key.js'
import {
  addUser,
  invite,
  joinTeam,
  mailedToken,
  makePolicy,
  newEmail,
  onboardAdmin,
  PASSWORD,
  registerApplication,
  registerUser,
  requestToken,
  type TestUser,
} from '../factories/factories.js'
import { beginLogIn, enrollApp, enrollPasskey, startApp } from '../factories/factors.js'
import { GROUP, makeDirectory, PATCH, SEARCH, USER } from '../factories/scim.js'
import { addProvider, oidcProvider } from '../factories/sso.js'
import { type Dump, dumpState, type WatchedState, watchState } from '../harness/dump.js'
import { tokenIn } from '../harness/mailbox.js'
import { documentedRoutes, nameOf, pathWith } from '../harness/openapi.js'
import { startService } from '../harness/service.js'
import { halfInPostgresGate } from '../harness/some-of.js'

const API_TOKEN = 'the-token-of-the-whole-instance-0123456789'
const service = await startService({ env: { API_TOKEN } })
afterAll(() => service.close())
const admin = await onboardAdmin(service)
const victim = await registerUser(service)

const MARK = 'aaaaaaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa'
const LONG_AGO = '2001-02-03T04:05:06.000Z'
const EXTRA = {
  id: MARK,
  userId: victim.id,
  teamId: victim.teamId,
  organizationId: victim.teamId,
  role: 'SUPER_ADMIN',
  status: 'SUSPENDED',
  emailVerified: true,
  createdAt: LONG_AGO,
  updatedAt: LONG_AGO,
  instanceTeamId: victim.teamId,
  onboardedAt: LONG_AGO,
  plan: 'ENTERPRISE',
  constructor: 'none',
}

type Act = (user: TestUser) => Promise<Record<string, unknown>>
const mailed = async (user: TestUser) => tokenIn((await service.mails(user.email)).at(-1) as never)

/** Returns a function that creates one resource for each user, the same for path, token and body of a request. */
function oncePerUser<T>(create: (user: TestUser) => Promise<T>): (user: TestUser) => Promise<T> {
  const created = new Map<string, Promise<T>>()
  return (user) => {
    const resource = created.get(user.id) ?? create(user)
    created.set(user.id, resource)
    return resource
  }
}
const appOf = oncePerUser((user) => registerApp(service, user))
const applicationOf = oncePerUser((user) => registerApplication(service, user))
const samlApplicationOf = oncePerUser((user) =>
  registerApplication(service, user, { type: 'SAML', samlSpEntityId: 'urn:sp' }),
)
const directoryOf = oncePerUser((user) => makeDirectory(service, user))
/** Registers a client of the user's team dynamically. */
const clientOf = oncePerUser(async ({ teamId }): Promise<{ client_id: string; registration_access_token: string }> => {
  const { body } = await service.api('POST', '/api/v1/oauth/register', {
    body: { client_name: 'Machine', team_id: teamId },
    headers: { 'x-api-token': API_TOKEN },
  })
  return body
})
/** Creates the next SAML key, which is not yet active. */
const nextSamlKey = async ({ token }: TestUser, path: string): Promise<string> =>
  (await service.api('POST', path, { token })).body.id

const CONFIG = '/api/v1/applications/{appId}/oidc-config'
const ofConfiguration = async (user: TestUser, path: string, body: object): Promise<string> => {
  const { id } = await applicationOf(user)
  const created = await service.api('POST', `${CONFIG.replace('{appId}', id)}/${path}`, { token: user.token, body })
  return created.body.id
}
const KEY_PAIR = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { format: 'pem', type: 'spki' },
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
})

const SP_METADATA = buildSpMetadata({
  entityId: 'https://sp.example/metadata',
  signingCertificates: [],
  encryptionCertificates: [],
  acsUrl: 'https://sp.example/acs',
  nameIdFormats: [],
  authnRequestsSigned: false,
  wantAssertionsSigned: true,
})

const METADATA = metadataOf({
  entityId: 'https://login.example',
  ssoUrl: 'https://login.example/sso',
  certificates: [CERTIFICATE],
})
const PROVIDER = oidcProvider({ issuer: 'https://login.example', clientId: 'keyward', clientSecret: 'secret' })

/** A directory configuration without a server. */
const DIRECTORY = {
  ldapUrl: 'ldap://127.0.0.1:9',
  ldapBaseDn: 'dc=example,dc=com',
  ldapBindDn: 'cn=reader,dc=example,dc=com',
  ldapBindPassword: 'reader password',
}

/** The bodies that valid callers send, by route. A new route must be added here. */
const BODIES: Record<string, Act> = {
  'POST /api/v1/auth/register': async () => ({ email: newEmail(), password: PASSWORD }),
  'POST /api/v1/auth/login': async ({ email, password }) => ({ email, password }),
  'POST /api/v1/auth/refresh': async ({ refreshToken }) => ({ refreshToken }),
  'POST /api/v1/auth/verify': async ({ email }) => ({ token: await requestToken(service, 'magic_link', email) }),
  'POST /api/v1/auth/magic-link': async ({ email }) => ({ email }),
  'POST /api/v1/auth/forgot-password': async ({ email }) => ({ email }),
  'POST /api/v1/auth/reset-password': async ({ email }) => ({
    token: await requestToken(service, 'password_reset', email),
    newPassword: `${PASSWORD}!`,
  }),
  'POST /api/v1/auth/reset-password/rules': async ({ email }) => ({
    token: await requestToken(service, 'password_reset', email),
  }),
  'POST /api/v1/auth/change-password': async ({ password }) => ({
    currentPassword: password,
    newPassword: `${PASSWORD}!`,
  }),
  'POST /api/v1/auth/reauthenticate': async ({ password }) => ({ password }),
  'POST /api/v1/auth/mfa/enroll/totp': async () => ({ name: 'Phone' }),
  'POST /api/v1/auth/mfa/enroll/verify': async (user) => {
    const app = await startApp(service, user)
    return { methodId: app.methodId, code: app.code() }
  },
  'POST /api/v1/auth/mfa/verify-challenge': async (user) => {
    const app = await enrollApp(service, user)
    return { mfaToken: (await beginLogIn(service, user)).mfaToken, code: app.code() }
  },
  'POST /api/v1/auth/mfa/other-team': async (user) => {
    await service.api('POST', '/api/v1/organizations', { token: user.token, body: { name: 'Other' } })
    await enrollApp(service, user)
    await service.sql('UPDATE factors SET restricted_to_team_id = $2 WHERE user_id = $1', [user.id, user.teamId])
    return { mfaToken: (await beginLogIn(service, user)).mfaToken }
  },
  'POST /api/v1/auth/mfa/passkey/challenge/options': async (user) => {
    await enrollPasskey(service, user)
    return { mfaToken: (await beginLogIn(service, user)).mfaToken }
  },
  'POST /api/v1/auth/mfa/passkey/challenge/verify': async (user) => {
    const { authenticator } = await enrollPasskey(service, user)
    const { mfaToken } = await beginLogIn(service, user)
    const { body } = await service.api('POST', '/api/v1/auth/mfa/passkey/challenge/options', { body: { mfaToken } })
    return { mfaToken, credential: authenticator.get(body) }
  },
  'POST /api/v1/auth/mfa/passkey/enroll': async ({ token }) => {
    const { body } = await service.api('GET', '/api/v1/auth/mfa/passkey/options', { token })
    return { credential: createAuthenticator().create(body) }
  },
  'POST /api/v1/auth/passkey/verify': async (user) => {
    const { authenticator } = await enrollPasskey(service, user)
    const { body } = await service.api('POST', '/api/v1/auth/passkey/options')
    return { credential: authenticator.get(body) }
  },
  'POST /api/v1/auth/mfa/adaptive/toggle': async () => ({ enabled: true }),
  'POST /api/v1/auth/mfa/disable': async (user) => {
    await enrollApp(service, user)
    return { password: user.password }
  },
  'PATCH /api/v1/auth/mfa/methods/{id}': async () => ({ name: 'Another' }),
  'POST /api/v1/auth/verify-email': async (user) => ({ token: await mailed(user) }),
  'POST /api/v1/auth/disown': async (user) => ({ token: await mailed(user) }),
  'POST /api/v1/auth/switch-team': async ({ teamId }) => ({ teamId }),
  'POST /api/v1/organizations': async () => ({ name: 'Another' }),
  'POST /api/v1/users': async () => ({ email: newEmail() }),
  'PUT /api/v1/users/{id}': async () => ({ title: 'Changed' }),
  'POST /api/v1/users/{id}/password-reset': async () => ({ temporaryPassword: PASSWORD }),
  'PUT /api/v1/organizations/{orgId}': async () => ({ primaryColor: '#123456' }),
  'PUT /api/v1/org': async () => ({ settings: { colour: 'blue' } }),
  'POST /api/v1/organizations/{orgId}/members/invite': async () => ({ email: newEmail(), role: 'MEMBER' }),
  'PUT /api/v1/organizations/{orgId}/members/{memberId}/role': async () => ({ role: 'VIEWER' }),
  'POST /api/v1/invitations/accept': async (user) => ({
    token: (await invite(service, admin, user.email)).token,
  }),
  'POST /api/v1/applications': async () => ({ name: 'App', type: 'OIDC' }),
  'PUT /api/v1/applications/{appId}': async () => ({ description: 'Changed' }),
  'POST /api/v1/applications/{appId}/rotate-secret': async () => ({ keepPreviousFor: 60 }),
  'POST /api/v1/oauth/register': async ({ teamId }) => ({ client_name: 'Machine', team_id: teamId }),
  'POST /api/v1/sso/oidc-idp/{issuer}/register': async () => ({ client_name: 'Machine' }),
  'PUT /api/v1/oauth/register/{clientId}': async (user) => ({
    client_id: (await clientOf(user)).client_id,
    client_name: 'Changed',
  }),
  'PUT /api/v1/applications/{appId}/users': async ({ id }) => ({ userIds: [id] }),
  'PUT /api/v1/applications/{appId}/groups': async () => ({ groupIds: [] }),
  [`POST ${CONFIG}/scopes`]: async () => ({ name: 'read:reports' }),
  [`PUT ${CONFIG}/scopes/{scopeId}`]: async () => ({ description: 'Changed' }),
  [`POST ${CONFIG}/claims`]: async () => ({ name: 'dept', userAttribute: 'department', targetTokens: ['ID_TOKEN'] }),
  [`PUT ${CONFIG}/claims/{claimId}`]: async () => ({ userAttribute: 'title' }),
  [`POST ${CONFIG}/regex-rules`]: async () => ({ name: 'Domain', pattern: '.*@', replacement: '' }),
  [`POST ${CONFIG}/regex-rules/test`]: async () => ({ pattern: '.*@', replacement: '', input: 'a@b' }),
  [`PUT ${CONFIG}/regex-rules/{ruleId}`]: async () => ({ flags: 'i' }),
  [`POST ${CONFIG}/signing-keys`]: async () => ({ kid: 'mine', algorithm: 'ES256', ...KEY_PAIR }),
  [`POST ${CONFIG}/signing-keys/generate`]: async () => ({ algorithm: 'ES256', kid: 'ours' }),
  [`PUT ${CONFIG}/signing-keys/{keyId}`]: async () => ({ isDefault: true }),
  'POST /api/v1/applications/{appId}/saml/keys/{keyId}/activate': async () => ({ immediately: true }),
  'POST /api/v1/org/saml-keys/{keyId}/activate': async () => ({ immediately: true }),
  'POST /api/v1/org/signing-keys/rotate': async () => ({ immediately: true }),
  [`PUT ${CONFIG}/token-policy`]: async () => ({ accessTokenLifetime: 600 }),
  [`POST ${CONFIG}/preview`]: async ({ id }) => ({ userId: id, scopes: ['openid'] }),
  'POST /api/v1/applications/metadata/parse': async () => ({ xml: SP_METADATA }),
  'POST /api/v1/policies': async () => ({ name: 'Read', resource: 'documents/*', actions: ['read'] }),
  'PUT /api/v1/policies/{policyId}': async () => ({ description: 'Changed' }),
  'POST /api/v1/policies/evaluate': async () => ({ resource: 'documents/1', action: 'read' }),
  'POST /api/v1/policies/replay': async () => ({ draft: { name: 'Read', resource: '*', actions: ['*'] } }),
  'POST /api/v1/api-tokens': async () => ({ name: 'Script', scopes: ['org:read'] }),
  'POST /api/v1/directory/scim/token': async () => ({ name: 'Directory' }),
  'POST /scim/v2/{orgRef}/Users': async () => ({ schemas: [USER], userName: newEmail() }),
  'POST /scim/v2/{orgRef}/.search': async () => ({ schemas: [SEARCH] }),
  'POST /scim/v2/{orgRef}/Users/.search': async () => ({ schemas: [SEARCH] }),
  'PUT /scim/v2/{orgRef}/Users/{userId}': async () => ({ schemas: [USER], userName: newEmail() }),
  'PATCH /scim/v2/{orgRef}/Users/{userId}': async () => ({
    schemas: [PATCH],
    Operations: [{ op: 'replace', path: 'title', value: 'Changed' }],
  }),
  'POST /scim/v2/{orgRef}/Groups': async () => ({ schemas: [GROUP], displayName: 'Group' }),
  'POST /scim/v2/{orgRef}/Groups/.search': async () => ({ schemas: [SEARCH] }),
  'PUT /scim/v2/{orgRef}/Groups/{groupId}': async () => ({ schemas: [GROUP], displayName: 'Changed' }),
  'PATCH /scim/v2/{orgRef}/Groups/{groupId}': async () => ({
    schemas: [PATCH],
    Operations: [{ op: 'replace', path: 'displayName', value: 'Changed' }],
  }),
  'POST /api/v1/audit/verify': async ({ token }) => ({
    checkpoint: (await service.api('GET', '/api/v1/audit/checkpoint', { token })).body.checkpoint,
  }),
  'POST /api/v1/sso/providers': async () => PROVIDER,
  'POST /api/v1/sso/metadata/parse': async () => ({ xml: METADATA }),
  'POST /api/v1/organizations/{orgId}/domains': async () => ({ domain: 'team.example' }),
  'PUT /api/v1/sso/providers/{providerId}': async () => ({ name: 'Changed' }),
  'POST /api/v1/directory/ldap/config': async () => DIRECTORY,
  'POST /api/v1/directory/ldap/test': async () => DIRECTORY,
  'POST /api/v1/directory/ldap/sync': async ({ token }) => {
    await service.api('POST', '/api/v1/directory/ldap/config', { token, body: DIRECTORY })
    return { dryRun: true }
  },
  'POST /api/v1/groups': async () => ({ name: 'Group' }),
  'PUT /api/v1/groups/{id}': async () => ({ description: 'Changed' }),
  'PUT /api/v1/groups/{id}/users': async ({ id }) => ({ userIds: [id] }),
  'PUT /api/v1/groups/{id}/applications': async () => ({ applicationIds: [] }),
  'PUT /api/v1/users/{id}/groups': async () => ({ groupIds: [] }),
  'PUT /api/v1/users/{id}/applications': async () => ({ applicationIds: [] }),
  'POST /api/v1/users/import': async () => ({ csv: `email\n${newEmail()}`, dryRun: true }),
  'POST /api/v1/users/bulk': async (user) => ({ action: 'activate', users: [(await addUser(service, user)).id] }),
  'PATCH /api/v1/auth/me': async () => ({ firstName: 'Own' }),
  'POST /api/v1/auth/me/email': async () => ({ email: newEmail() }),
  'POST /api/v1/auth/confirm-email': async (user) => {
    await service.api('POST', '/api/v1/auth/me/email', { token: user.token, body: { email: `new-${user.email}` } })
    return { token: await mailedToken(service, 'change_email', `new-${user.email}`) }
  },
  'POST /api/v1/oauth/introspect': async () => ({ token: 'unknown' }),
  'POST /api/v1/oauth/device/verify': async (user) => {
    const grantTypes = ['urn:ietf:params:oauth:grant-type:device_code']
    const app = await registerApp(service, user, { isPublicClient: true, grantTypes, responseTypes: [] })
    const { body } = await service.api('POST', `${app.idp}/device/auth`, {
      raw: new URLSearchParams({ client_id: app.clientId }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    return { userCode: body.user_code }
  },
  'POST /api/v1/oauth/revoke': async () => ({ token: 'unknown' }),
  'POST /api/v1/applications/{appId}/try/token': async ({ teamId }) => ({
    issuer: `${service.baseUrl}/api/v1/sso/oidc-idp/${teamId}`,
    grantType: 'refresh_token',
    refreshToken: 'unknown',
  }),
  'POST /api/v1/sso/oidc-idp/{issuer}/userinfo': async (user) => ({
    access_token: (await tokensFor(service, withIssuerPath(service, user.teamId, await appOf(user)), user))
      .access_token,
  }),
  'POST /api/v1/sso/oidc-idp/{issuer}/{application}/userinfo': async (user) => ({
    access_token: (await tokensFor(service, await appOf(user), user)).access_token,
  }),
  'POST /api/v1/sso/oidc-idp/{issuer}/interaction/{uid}/confirm': async () => ({ consent: true }),
  'POST /api/v1/sso/oidc-idp/{issuer}/{application}/interaction/{uid}/confirm': async () => ({ consent: true }),
  'PUT /api/v1/audit/retention': async () => ({ days: 400 }),
  'PUT /api/v1/policies/password': async () => ({ minLength: 9 }),
  'PUT /api/v1/settings': async () => ({ primaryColor: '#123456' }),
  'PUT /api/v1/config': async () => ({ mfaGracePeriodDays: 9 }),
  'POST /api/v1/config/team-owners': async (user) => {
    const owner = await registerUser(service, { overHttp: true })
    await joinTeam(service, user, owner.teamId)
    const token = await mailedToken(service, 'verify_email', owner.email)
    expect((await service.api('POST', '/api/v1/auth/disown', { body: { token } })).status).toBe(200)
    return { teamId: owner.teamId, email: user.email }
  },
}
/** Routes that redeem the mail of the registration, which a copied user does not have. */
const NEEDS_MAIL = ['POST /api/v1/auth/verify-email', 'POST /api/v1/auth/disown']
/** Creates the resource of a path parameter for the caller. */
const PATH_IDS: Record<string, (user: TestUser) => Promise<string>> = {
  'groups/{id}': async ({ token }) =>
    (await service.api('POST', '/api/v1/groups', { token, body: { name: 'Group' } })).body.id,
  'users/{id}': async (user) => (await addUser(service, user)).id,
  'methods/{id}': async (user) => (await enrollApp(service, user)).methodId,
  orgId: async ({ teamId }) => teamId,
  memberId: async ({ teamId }) => {
    const { id } = await registerUser(service)
    await joinTeam(service, { id }, teamId)
    return id
  },
  appId: async (user) => (await applicationOf(user)).id,
  scopeId: (user) => ofConfiguration(user, 'scopes', { name: 'read' }),
  claimId: (user) => ofConfiguration(user, 'claims', { name: 'id', userAttribute: 'id', targetTokens: ['ID_TOKEN'] }),
  ruleId: (user) => ofConfiguration(user, 'regex-rules', { name: 'Rule', pattern: 'a', replacement: 'b' }),
  keyId: (user) => ofConfiguration(user, 'signing-keys/generate', { algorithm: 'ES256' }),
  '{appId}/saml': async (user) => (await samlApplicationOf(user)).id,
  'keys/{keyId}': async (user) =>
    nextSamlKey(user, `/api/v1/applications/${(await samlApplicationOf(user)).id}/saml/keys`),
  'saml-keys/{keyId}': (user) => nextSamlKey(user, '/api/v1/org/saml-keys'),
  providerId: async (user) => (await addProvider(service, user, PROVIDER)).id,
  policyId: async (user) => (await makePolicy(service, user)).id,
  issuer: async ({ teamId }) => teamId,
  orgRef: async ({ teamId }) => teamId,
  userId: async (user) => (await (await directoryOf(user)).makeUser({ userName: newEmail() })).id,
  groupId: async (user) => (await (await directoryOf(user)).makeGroup({ displayName: 'Group' })).id,
  application: async (user) => (await appOf(user)).id,
  clientId: async (user) => (await clientOf(user)).client_id,
  uid: async (user) => uidOf(await authorize(service, await appOf(user))),
}
/** Tokens for routes that do not accept the user's session. */
const TOKENS: Record<string, (user: TestUser) => Promise<string | undefined>> = {
  'PUT /api/v1/settings': async () => admin.token,
  'PUT /api/v1/config': async () => admin.token,
  'POST /api/v1/config/team-owners': async () => admin.token,
  'PUT /api/v1/oauth/register/{clientId}': async (user) => (await clientOf(user)).registration_access_token,
  'POST /api/v1/sso/oidc-idp/{issuer}/userinfo': async () => undefined,
  'POST /api/v1/sso/oidc-idp/{issuer}/{application}/userinfo': async () => undefined,
}
/** Finds the creator of a path parameter. The surrounding path decides the type of an `{id}`. */
const idFor = (path: string, param: string) =>
  PATH_IDS[new RegExp(`\\{${param}\\}/saml`).exec(path)?.[0] ?? ''] ??
  PATH_IDS[new RegExp(`[^/]+/\\{${param}\\}`).exec(path)?.[0] ?? ''] ??
  PATH_IDS[param]

/** Can succeed only once for an instance and have their own test below. */
const ONCE: Record<string, () => Promise<Record<string, unknown>>> = {
  'POST /api/v1/onboard': async () => ({}),
  'POST /api/v1/onboard/setup-link': async () => ({
    token: new URL((await service.setupLink()) ?? 'http://none').hash.replace('#token=', ''),
  }),
}

const routes = (await documentedRoutes(service)).filter(({ body }) => body)

/** Replaces random values: IDs, times, tokens, hashes and email addresses. */
const withoutChance = (row: string): string =>
  row
    .replace(/\\\\x[0-9a-f]+|\$argon2id[^"]+|v1\.[\w.-]{20,}/g, '<bytes>')
    .replaceAll(MARK, '<mark>')
    .replaceAll(LONG_AGO.slice(0, 19), '<long ago>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)|\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '<time>')
    .replace(/user-[0-9a-f]{10}/g, '<name>')
    .replace(/("last_?[hH]ash": )("[^"]*"|null)/g, '$1<hash>')
    .replace(/("transaction_id": )"\d+"/g, '$1<number>')
    .replace(/("client(?:_?[iI]d)?": ")[0-9a-f]{32}/g, '$1<client>')
    .replace(/("(?:kid|n)": ")[\w-]+/g, '$1<key>')
    .replace(/("(?:before|removed)": \[?")[\w-]{16}"/g, '$1<key>"')
    .replace(/"[\w-]{43}"/g, '"<token>"')
    .replace(/("taken": )\d+/g, '$1<seats>')
    .replace(/("used_steps": )\[[^\]]*\]/g, '$1<steps>')
    .replace(/"kw(?:scim)?_[\w-]{7}"/g, '"<prefix>"')
    .replace(/("(?:exp|iat|ts|loginTs|authTime)": )\d+/g, '$1<seconds>')
    .replace(/-----BEGIN CERTIFICATE[^"]*/g, '<certificate>')
    .replace(/another(-[0-9a-f]{8})?/g, '<slug>')

/** Returns the rows of each table that the other dump does not contain, without random values. */
function rowsBeyond(dump: Dump, other: Dump): Dump {
  const beyond = ([table, rows]: [string, string[]]): [string, string[]] => {
    // Dumps share the rows of a table that has not changed.
    if (rows === other[table]) return [table, []]
    const known = new Set(other[table])
    return [table, rows.filter((row) => !known.has(row)).map(withoutChance)]
  }
  return Object.fromEntries(Object.entries(dump).map(beyond))
}

/** Returns the removed and the added rows of each table, without random values. */
function changesBetween(before: Dump, after: Dump): Dump {
  const [removed, added] = [rowsBeyond(before, after), rowsBeyond(after, before)]
  const changesIn = (table: string) =>
    [...(removed[table] ?? []).map((row) => `- ${row}`), ...(added[table] ?? []).map((row) => `+ ${row}`)].sort()
  return Object.fromEntries(Object.keys(after).map((table) => [table, changesIn(table)]))
}

/** Prepares a request to the route by a new user. Returns a function that sends it. */
async function requestTo(name: string, extra: Record<string, unknown>): Promise<() => Promise<void>> {
  const user = await registerUser(service, NEEDS_MAIL.includes(name) ? { overHttp: true } : {})
  const body = await (BODIES[name] as Act)(user)
  const [method = '', template = ''] = name.split(' ')
  const ids: Record<string, string> = {}
  for (const param of routes.find((route) => nameOf(route) === name)?.params ?? [])
    ids[param] = (await idFor(template, param)?.(user)) ?? ''
  const path = pathWith(template, ids)
  if (template.startsWith('/scim/')) await directoryOf(user)
  const ofDirectory = async () => (await directoryOf(user)).token
  const token = await (TOKENS[name] ?? (template.startsWith('/scim/') ? ofDirectory : async () => user.token))(user)
  return async () => {
    const { status, body: answer } = await service.api(method, path, {
      token,
      body: { ...extra, ...body },
      ...(name.endsWith('/register') && { headers: { 'x-api-token': API_TOKEN } }),
    })
    expect(status, JSON.stringify(answer)).toBeLessThan(300)
  }
}

/** Restores the settings of the instance. @returns whether they had changed */
async function restoreSettings(): Promise<boolean> {
  const changed = await service.sql(
    `UPDATE instance_settings SET primary_color = '#3b5bdb', mfa_grace_period_days = 7
     WHERE (primary_color, mfa_grace_period_days) IS DISTINCT FROM ('#3b5bdb', 7) RETURNING 1`,
  )
  return changed.length > 0
}

describe('over-posting', () => {
  it('covers every route with a body', () => {
    expect(routes.map(nameOf).filter((name) => !ONCE[name] && !BODIES[name])).toEqual([])
  })

  it.each(halfInPostgresGate(Object.keys(BODIES)))(
    'changes nothing at %s that the route does not list',
    async (name) => {
      const declared = routes.find((route) => nameOf(route) === name)?.body?.properties ?? {}
      // A SCIM body with a name of `Object.prototype` is rejected, which the next test covers.
      const isRejected = (key: string) => key === 'constructor' && name.includes('/scim/v2/')
      const isExtra = (key: string) => !Object.hasOwn(declared, key) && !isRejected(key)
      const extra = Object.fromEntries(Object.entries(EXTRA).filter(([key]) => isExtra(key)))
      const [sendPlain, sendWithExtra] = [await requestTo(name, {}), await requestTo(name, extra)]
      await restoreSettings()
      const before = await dumpState(service)
      await sendPlain()
      const between = await dumpState(service)
      const restored = (await restoreSettings()) ? await dumpState(service) : between
      await sendWithExtra()
      const after = await dumpState(service)
      const changes = changesBetween(restored, after)
      expect(changes).toEqual(changesBetween(before, between))
      expect(JSON.stringify(changes)).not.toMatch(/<mark>|<long ago>/)
    },
  )

  let state: WatchedState | undefined
  it.each(halfInPostgresGate(routes).map((route) => ({ name: nameOf(route), ...route })))(
    'gets rejected at $name if it uses the prototype',
    async ({ method, path, isOAuth, isScim }) => {
      const directory = await directoryOf(admin)
      const token = isScim ? directory.token : admin.token
      state ??= await watchState(service)
      const bombs = [
        '{"__proto__":{"role":"OWNER"}}',
        '{"a":{"__proto__":null}}',
        '{"constructor":{"prototype":{"role":"OWNER"}}}',
      ]
      for (const raw of [...bombs, '{"\\u005f_proto__":{"role":"OWNER"}}']) {
        const { status, body } = await service.api(method, path.replace(/\{org(Id|Ref)\}/, admin.teamId), {
          token,
          raw,
        })
        const code = isScim ? body.scimType : isOAuth ? body.error : body.code
        expect([status, code], raw).toEqual([400, isScim ? 'invalidSyntax' : 'invalid_request'])
      }
      await state.expectUnchanged()
      expect(Object.hasOwn(Object.prototype, 'role')).toBe(false)
    },
  )

  it('changes nothing through the prototype in a later job', () => state?.expectUnchangedInTheEnd())

  it.each(Object.entries(ONCE))('changes nothing at %s that the route does not list', async (name, fields) => {
    await service.sql('UPDATE instance_settings SET instance_team_id = NULL, onboarded_at = NULL')
    const email = newEmail()
    const body = { ...EXTRA, ...(await fields()), adminEmail: email }
    const { status } = await service.api('POST', name.replace('POST ', ''), { body })
    expect(status).toBe(200)
    const [row] = await service.sql(
      `SELECT m.role, m.status, u.email_verified_at IS NOT NULL AS verified, o.plan, o.status AS team_status, o.id <> $2 AND i.instance_team_id = o.id AS own_team
       FROM users u JOIN memberships m ON m.user_id = u.id JOIN organizations o ON o.id = m.organization_id, instance_settings i WHERE u.email = $1`,
      [email, victim.teamId],
    )
    expect(row).toEqual({
      role: 'SUPER_ADMIN',
      status: 'active',
      verified: name.endsWith('/setup-link'),
      plan: 'FREE',
      team_status: 'ACTIVE',
      own_team: true,
    })
  })
})
