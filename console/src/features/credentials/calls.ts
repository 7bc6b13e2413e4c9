import { answerOf, member } from '../../api/client'
import type { Assertion } from '../../passkeys/credential-json'

export function changePassword(currentPassword: string, newPassword: string) {
  return answerOf(member.POST('/api/v1/auth/change-password', { body: { currentPassword, newPassword } }))
}

/** For an account without a password, after a recent sign-in. */
export function setPassword(newPassword: string) {
  return answerOf(member.POST('/api/v1/auth/change-password', { body: { newPassword } }))
}

/** One proof of who is sitting here. */
export type Proof = { password: string } | { code: string; isBackupCode?: boolean } | { credential: Assertion }

export function reauthenticate(proof: Proof) {
  return answerOf(member.POST('/api/v1/auth/reauthenticate', { body: proof }))
}

/** Signs in again by mail, for accounts that have no password to be asked for. */
export function mailSignInLink(email: string) {
  return answerOf(member.POST('/api/v1/auth/magic-link', { body: { email } }))
}
