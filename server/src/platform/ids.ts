/**
 * Branded identifiers: a team's id cannot be passed where a user's is due. At run time each is a UUID v7 in text form.
 */
declare const brand: unique symbol
type Id<Name extends string> = string & { readonly [brand]: Name }

export type UserId = Id<'user'>
export type TeamId = Id<'team'>
export type MembershipId = Id<'membership'>
export type InvitationId = Id<'invitation'>
export type GroupId = Id<'group'>
export type ApplicationId = Id<'application'>
export type PolicyId = Id<'policy'>
export type ApiTokenId = Id<'api-token'>
export type ScimTokenId = Id<'scim-token'>
/** A request of a directory, as it is shown to the team's administrators. */
export type ScimRequestId = Id<'scim-request'>
export type ImportRunId = Id<'import-run'>
export type SessionId = Id<'session'>
/** A row of `sessions` too: what a user allowed an application. */
export type GrantId = Id<'grant'>
/** A second factor of an account: an authenticator app, a passkey, or its backup codes. */
export type FactorId = Id<'factor'>
/** A browser from which an account was signed in to. */
export type DeviceId = Id<'device'>
export type SigningKeyId = Id<'signing-key'>
/** An RSA key with a certificate, by which peers in SAML know us. */
export type SamlKeyId = Id<'saml-key'>
export type ScopeId = Id<'scope'>
export type ClaimId = Id<'claim'>
export type RegexRuleId = Id<'regex-rule'>
/** A provider that a team's members sign in by. */
export type SsoProviderId = Id<'sso-provider'>
/** What happened at one sign-in, or test, by a provider. */
export type SsoSignInId = Id<'sso-sign-in'>
/** What a team has written about its LDAP directory. */
export type DirectoryId = Id<'directory'>
/** One reading of a directory. */
export type DirectoryRunId = Id<'directory-run'>
export type AuditEntryId = Id<'audit-entry'>
export type MailId = Id<'mail'>
export type JobId = Id<'job'>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The ID of no team: in place of a malformed one, which then gets the response to an unknown one. */
export const NO_TEAM = '00000000-0000-0000-0000-000000000000' as TeamId

/** The ID of no user: the same statement that locks an account locks nothing for it. */
export const NO_USER = '00000000-0000-0000-0000-000000000000' as UserId

/** The identifier in its canonical lower-case form, or undefined for a text of any other shape (an unknown id, then). */
export const parseId = <T extends string>(text: string): T | undefined =>
  UUID.test(text) ? (text.toLowerCase() as T) : undefined
