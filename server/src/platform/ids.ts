/**
 * Branded identifiers: the ID of a team cannot be passed where the ID of a user is expected. At run time each is a UUID string: version 4 for users, version 7 for all others.
 */
declare const brand: unique symbol
type Id<Name extends string> = string & { readonly [brand]: Name }

export type UserId = Id<'user'>
/**
 * The origin of a credential (`temporary_set_by`), on whose permissions it depends: the member who set the temporary password from which it originates, several such members
 * (a row of `joint_setters`), or the editor of the provider or directory that started its session (a row of `sign_in_editors`).
 */
export type OriginId = Id<'origin'>
export type TeamId = Id<'team'>
export type MembershipId = Id<'membership'>
export type InvitationId = Id<'invitation'>
export type GroupId = Id<'group'>
export type ApplicationId = Id<'application'>
export type PolicyId = Id<'policy'>
export type ApiTokenId = Id<'api-token'>
export type ScimTokenId = Id<'scim-token'>
/** A request of a SCIM client, as the team's administrators see it. */
export type ScimRequestId = Id<'scim-request'>
export type ImportRunId = Id<'import-run'>
export type SessionId = Id<'session'>
/** A grant of a user to an application; stored in `sessions` too. */
export type GrantId = Id<'grant'>
/** A factor of an account: an authenticator app, a passkey, or its backup codes. */
export type FactorId = Id<'factor'>
/** A browser from which a user has signed in to the account. */
export type DeviceId = Id<'device'>
export type SigningKeyId = Id<'signing-key'>
/** An RSA key with a certificate, which SAML peers trust. */
export type SamlKeyId = Id<'saml-key'>
export type ScopeId = Id<'scope'>
export type ClaimId = Id<'claim'>
export type RegexRuleId = Id<'regex-rule'>
/** An identity provider of a team. */
export type SsoProviderId = Id<'sso-provider'>
/** The report of one sign-in, or test, through a provider. */
export type SsoSignInId = Id<'sso-sign-in'>
/** The configuration of a team's LDAP directory. */
export type DirectoryId = Id<'directory'>
/** One sync of an LDAP directory. */
export type DirectoryRunId = Id<'directory-run'>
export type AuditEntryId = Id<'audit-entry'>
/** The key that encrypts the personal data of one person in audit entries. */
export type AuditKeyId = Id<'audit-key'>
/** A file of audit entries that retention removed from the log. */
export type AuditArchiveId = Id<'audit-archive'>
export type MailId = Id<'mail'>
export type JobId = Id<'job'>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The ID of no team: replaces a malformed ID, which then gets the same response as an unknown one. */
export const NO_TEAM = '00000000-0000-0000-0000-000000000000' as TeamId

/** The ID of no user: a statement that locks the account locks no row. */
export const NO_USER = '00000000-0000-0000-0000-000000000000' as UserId

/** Returns the identifier in its canonical lower-case form, or undefined if it is malformed (treated as unknown). */
export const parseId = <T extends string>(text: string): T | undefined =>
  UUID.test(text) ? (text.toLowerCase() as T) : undefined

/** Returns the distinct identifiers; undefined if one is malformed. */
export function parseIds<T extends string>(texts: readonly string[]): T[] | undefined {
  const ids = new Set(texts.map((text) => parseId<T>(text)))
  return ids.has(undefined) ? undefined : ([...ids] as T[])
}
