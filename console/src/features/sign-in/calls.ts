import { answerOf, askIssuer, member, visitor } from '../../api/client'
import type { Interaction } from '../../api/contract'
import { session } from '../../api/session'
import { boot } from '../../boot'
import type { SamlRequest, SignInRequest } from '../../navigation/sign-in-search'
import type { Assertion, RequestOptions } from '../../passkeys/credential-json'

/** @param credentials with the ID or slug of the team for a password that opens one team */
export function signIn(credentials: { email: string; password: string; teamId?: string; remember: boolean }) {
  return answerOf(visitor.POST('/api/v1/auth/login', { body: credentials }))
}

/** Starts a sign-in with any passkey of this browser. */
export function passkeyOptions() {
  return answerOf(visitor.POST('/api/v1/auth/passkey/options')) as Promise<RequestOptions>
}

export function signInByPasskey(credential: Assertion, remember: boolean) {
  return answerOf(visitor.POST('/api/v1/auth/passkey/verify', { body: { credential, remember } }))
}

/** @param code of an authenticator app, or a backup code */
export function answerChallenge(mfaToken: string, code: string, isBackupCode: boolean) {
  return answerOf(visitor.POST('/api/v1/auth/mfa/verify-challenge', { body: { mfaToken, code, isBackupCode } }))
}

/** Ends a challenge and signs in to another team. @param teamId if absent, the user's next team or a new team of their own */
export function signInToOtherTeam(mfaToken: string, teamId: string | undefined) {
  return answerOf(visitor.POST('/api/v1/auth/mfa/other-team', { body: { mfaToken, ...(teamId && { teamId }) } }))
}

/** Starts the verification with a passkey of the account that signs in. */
export function challengePasskeyOptions(mfaToken: string) {
  return answerOf(
    visitor.POST('/api/v1/auth/mfa/passkey/challenge/options', { body: { mfaToken } }),
  ) as Promise<RequestOptions>
}

export function answerChallengeByPasskey(mfaToken: string, credential: Assertion) {
  return answerOf(visitor.POST('/api/v1/auth/mfa/passkey/challenge/verify', { body: { mfaToken, credential } }))
}

const readInteraction = ({ uid, idp }: SignInRequest) =>
  askIssuer<Interaction>(idp, `/interaction/${encodeURIComponent(uid)}`)

/** Reads the steps that a SAML request of an application still requires. */
export function readSamlRequest({ appId, id }: SamlRequest) {
  return answerOf(
    member.GET('/api/v1/sso/saml-idp/{appId}/requests/{requestId}', { params: { path: { appId, requestId: id } } }),
  )
}

/** Returns true if the application rejects the current session. The consent page shows other errors. */
export async function wantsFreshSignIn(request: SignInRequest | SamlRequest): Promise<boolean> {
  try {
    const { loginRequired } = await ('uid' in request ? readInteraction(request) : readSamlRequest(request))
    return loginRequired
  } catch {
    return false
  }
}

export function register(account: { email: string; password: string }) {
  return answerOf(visitor.POST('/api/v1/auth/register', { body: account }))
}

export function askForLink(email: string) {
  return answerOf(visitor.POST('/api/v1/auth/magic-link', { body: { email } }))
}

/** Returns the header of the current session, if any, for calls that also accept visitors. */
async function ifSignedIn() {
  const bearer = session.view() || (boot.hasSession && (await session.restore())) ? await session.bearer() : 'ended'
  return typeof bearer === 'object' ? { Authorization: `Bearer ${bearer.token}` } : {}
}

/** Sends the current session, if any: nothing is removed from an account that verifies its own email address. */
export async function redeemLink(token: string) {
  return answerOf(visitor.POST('/api/v1/auth/verify', { body: { token }, headers: await ifSignedIn() }))
}

export function readInvitation(token: string) {
  return answerOf(visitor.GET('/api/v1/invitations/{token}', { params: { path: { token } } }))
}

/** @param password of a user without an account */
export async function acceptInvitation(token: string, password?: string) {
  const body = { token, ...(password !== undefined && { password }) }
  return answerOf(visitor.POST('/api/v1/invitations/accept', { body, headers: await ifSignedIn() }))
}

export function askForReset(email: string) {
  return answerOf(visitor.POST('/api/v1/auth/forgot-password', { body: { email } }))
}

/** Returns the password rules for a reset link. */
export function readResetRules(token: string) {
  return answerOf(visitor.POST('/api/v1/auth/reset-password/rules', { body: { token } }))
}

export function resetPassword(token: string, newPassword: string) {
  return answerOf(visitor.POST('/api/v1/auth/reset-password', { body: { token, newPassword } }))
}

export function confirmAddress(token: string) {
  return answerOf(member.POST('/api/v1/auth/verify-email', { body: { token } }))
}

/** Gives the account the email address that received the link. */
export function confirmNewAddress(token: string) {
  return answerOf(member.POST('/api/v1/auth/confirm-email', { body: { token } }))
}

/** Deletes an account that another person registered with this email address without verifying it. */
export function disown(token: string) {
  return answerOf(visitor.POST('/api/v1/auth/disown', { body: { token } }))
}
