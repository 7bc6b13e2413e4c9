import { answerOf, askIssuer, member, visitor } from '../../api/client'
import type { Interaction } from '../../api/contract'
import { session } from '../../api/session'
import { boot } from '../../boot'
import type { SamlRequest, SignInRequest } from '../../navigation/sign-in-search'
import type { Assertion, RequestOptions } from '../../passkeys/credential-json'

/** @param credentials with the ID or the slug of the team, for a password that opens one team */
export function signIn(credentials: { email: string; password: string; teamId?: string; remember: boolean }) {
  return answerOf(visitor.POST('/api/v1/auth/login', { body: credentials }))
}

/** For a sign-in by any passkey that this browser has for us. */
export function passkeyOptions() {
  return answerOf(visitor.POST('/api/v1/auth/passkey/options')) as Promise<RequestOptions>
}

export function signInByPasskey(credential: Assertion, remember: boolean) {
  return answerOf(visitor.POST('/api/v1/auth/passkey/verify', { body: { credential, remember } }))
}

/** @param code of an authenticator app, or one of the backup codes */
export function answerChallenge(mfaToken: string, code: string, isBackupCode: boolean) {
  return answerOf(visitor.POST('/api/v1/auth/mfa/verify-challenge', { body: { mfaToken, code, isBackupCode } }))
}

/** Ends a challenge and signs in to another team. @param teamId without it, the next of the user's teams or a new one of their own */
export function signInToOtherTeam(mfaToken: string, teamId: string | undefined) {
  return answerOf(visitor.POST('/api/v1/auth/mfa/other-team', { body: { mfaToken, ...(teamId && { teamId }) } }))
}

/** For one of the passkeys of the account that signs in. */
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

/** What is still due before the request of an application by SAML can go on. */
export function readSamlRequest({ appId, id }: SamlRequest) {
  return answerOf(
    member.GET('/api/v1/sso/saml-idp/{appId}/requests/{requestId}', { params: { path: { appId, requestId: id } } }),
  )
}

/** Whether the application will not have the session that there is. What else may be wrong, the consent page says. */
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

/** The session of this browser, where there is one, for calls that also serve visitors. */
async function ifSignedIn() {
  const bearer = session.view() || (boot.hasSession && (await session.restore())) ? await session.bearer() : 'ended'
  return typeof bearer === 'object' ? { Authorization: `Bearer ${bearer.token}` } : {}
}

/** Sent with the session of this browser, where there is one: for the account itself the proof takes nothing away. */
export async function redeemLink(token: string) {
  return answerOf(visitor.POST('/api/v1/auth/verify', { body: { token }, headers: await ifSignedIn() }))
}

export function readInvitation(token: string) {
  return answerOf(visitor.GET('/api/v1/invitations/{token}', { params: { path: { token } } }))
}

/** @param account of whoever has no account yet; left out by who is signed in */
export async function acceptInvitation(
  token: string,
  account: { password?: string; firstName?: string; lastName?: string } = {},
) {
  return answerOf(
    visitor.POST('/api/v1/invitations/accept', { body: { token, ...account }, headers: await ifSignedIn() }),
  )
}

export function askForReset(email: string) {
  return answerOf(visitor.POST('/api/v1/auth/forgot-password', { body: { email } }))
}

/** The rules for the new password of a reset link. */
export function readResetRules(token: string) {
  return answerOf(visitor.POST('/api/v1/auth/reset-password/rules', { body: { token } }))
}

export function resetPassword(token: string, newPassword: string) {
  return answerOf(visitor.POST('/api/v1/auth/reset-password', { body: { token, newPassword } }))
}

export function confirmAddress(token: string) {
  return answerOf(member.POST('/api/v1/auth/verify-email', { body: { token } }))
}

/** Gives the account the address to which the link went. */
export function confirmNewAddress(token: string) {
  return answerOf(member.POST('/api/v1/auth/confirm-email', { body: { token } }))
}

/** Deletes an account that was registered with this address by somebody who never proved it. */
export function disown(token: string) {
  return answerOf(visitor.POST('/api/v1/auth/disown', { body: { token } }))
}
