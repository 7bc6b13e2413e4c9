import type { components, paths } from './schema.gen'

// Short names of the responses. Their types are generated from the OpenAPI document.
type Schema = components['schemas']
type Read<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } }
}
  ? Answer
  : never
type Written<Path extends keyof paths, Method extends 'post' | 'put'> = paths[Path] extends {
  [M in Method]: { requestBody: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

export type Boot = Schema['Boot']
export type PasswordPolicy = Boot['passwordPolicy']
export type Invitation = Schema['InvitationShown']
export type SessionUser = Schema['SessionUser']
export type SessionTeam = Schema['SessionTeam']
export type Team = Schema['Team']
export type AuditRetention = Schema['AuditRetention']
export type AuditArchive = Schema['AuditArchive']
export type Application = Schema['Application']
/** Writable fields: absent ones stay unchanged, null removes a value. */
export type ApplicationChanges =
  paths['/api/v1/applications/{appId}']['put']['requestBody']['content']['application/json']
export type NewApplication = paths['/api/v1/applications']['post']['requestBody']['content']['application/json']
export type Interaction = Schema['Interaction']
export type TryTokenRequest =
  paths['/api/v1/applications/{appId}/try/token']['post']['requestBody']['content']['application/json']
export type MyApplication = Read<'/api/v1/auth/applications'>['data'][number]
export type MyGrant = Read<'/api/v1/auth/grants'>['data'][number]
export type WithdrawnGrant = Read<'/api/v1/auth/grants/withdrawn'>['data'][number]

export type SamlKey = Schema['SamlKey']
export type SpMetadata =
  paths['/api/v1/applications/metadata/parse']['post']['responses'][200]['content']['application/json']

type ConfigPath = '/api/v1/applications/{appId}/oidc-config'
export type OidcConfig = Read<ConfigPath>
export type Scope = OidcConfig['scopes'][number]
export type Claim = OidcConfig['claims'][number]
export type RegexRule = OidcConfig['regexRules'][number]
export type SigningKey = OidcConfig['signingKeys'][number]
export type TokenPolicy = OidcConfig['tokenPolicy']
export type NewScope = Written<`${ConfigPath}/scopes`, 'post'>
export type NewClaim = Written<`${ConfigPath}/claims`, 'post'>
export type NewRule = Written<`${ConfigPath}/regex-rules`, 'post'>
export type RuleTest = Written<`${ConfigPath}/regex-rules/test`, 'post'>
export type NewSigningKey = Written<`${ConfigPath}/signing-keys/generate`, 'post'>
export type SigningKeyChanges = Written<`${ConfigPath}/signing-keys/{keyId}`, 'put'>
export type TokenPolicyChanges = Written<`${ConfigPath}/token-policy`, 'put'>
export type PreviewEntry = Schema['PreviewedClaim']

export type DiscoveredProvider = Read<'/api/v1/sso/discover'>['providers'][number]
export type SsoProvider = Schema['SsoProvider']
export type NewSsoProvider = Written<'/api/v1/sso/providers', 'post'>
export type SsoProviderChanges = Written<'/api/v1/sso/providers/{providerId}', 'put'>
export type SsoProviderReport = Schema['SsoProviderReport']
/** A sign-in or test with a provider, as recorded. */
export type SsoSignIn = Schema['SsoSignIn']
export type SamlCertificate = NonNullable<SsoProvider['samlCertificates']>[number]
export type SamlMetadata = paths['/api/v1/sso/metadata/parse']['post']['responses'][200]['content']['application/json']
export type TeamDomain = Schema['TeamDomain']

export type ScimToken = Schema['ScimToken']
export type NewScimToken = Written<'/api/v1/directory/scim/token', 'post'>
/** The SCIM directories of a team: their tokens and numbers of writes. */
export type ScimTokens = Read<'/api/v1/directory/scim/tokens'>
/** A request of a directory and its response. */
export type ScimRequest = Schema['ScimRequest']
export type LdapDirectory = Schema['LdapDirectory']
/** Writable fields, to save or test; absent ones stay unchanged. */
export type LdapDirectoryChanges = Written<'/api/v1/directory/ldap/config', 'post'>
export type LdapTest = paths['/api/v1/directory/ldap/test']['post']['responses'][200]['content']['application/json']
export type DirectoryRun = Schema['DirectoryRun']
/** A run as listed: without its errors and planned changes. */
export type DirectoryRunSummary = Read<'/api/v1/directory/ldap/runs'>['data'][number]
export type StartSync = Written<'/api/v1/directory/ldap/sync', 'post'>

export type Me = Read<'/api/v1/auth/me'>
export type SignedInDevice = Read<'/api/v1/auth/sessions'>['data'][number]

/** The response of every sign-in method: a session, or a challenge for a second factor. */
export type SessionAnswer = Schema['Session']

export type OpenSession = SessionAnswer & Required<Pick<SessionAnswer, 'accessToken' | 'expiresIn' | 'user'>>

/** The two-step status of an account in the team of the session. */
export type MfaState = NonNullable<SessionAnswer['mfa']>
export type FactorStatus = Read<'/api/v1/auth/mfa/status'>
/** A passkey, an authenticator app, or all backup codes. */
export type Factor = FactorStatus['methods'][number]
export type RememberedDevice = Read<'/api/v1/auth/devices'>['data'][number]
/** The session of the browser, and the pending one that replaces it. */
export type SessionReplacement =
  paths['/api/v1/auth/session-replacement']['post']['responses'][200]['content']['application/json']

/** Teams in which a sign-in can continue instead of one that requires its own factor. */
export type OtherTeams = NonNullable<SessionAnswer['mfaOtherTeams']>
export type ChallengeMethod = NonNullable<SessionAnswer['mfaMethods']>[number]

/** A team that added the user, pending or blocked. */
export type WaitingTeam = Read<'/api/v1/organizations/waiting'>['data'][number]

/** Removed by the verification of an email address from an account that another person registered. */
export type Cleaned = NonNullable<SessionAnswer['cleaned']>

/** False for a correct password of an account whose second factor is still required: there are no tokens yet. */
export function isOpen(answer: SessionAnswer): answer is OpenSession {
  return answer.accessToken !== undefined && answer.expiresIn !== undefined && answer.user !== undefined
}
