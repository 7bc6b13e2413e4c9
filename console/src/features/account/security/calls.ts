import { answerOf, member } from '../../../api/client'
import type { Assertion } from '../../../passkeys/credential-json'

export function changePassword(currentPassword: string, newPassword: string) {
  return answerOf(member.POST('/api/v1/auth/change-password', { body: { currentPassword, newPassword } }))
}

/** For an account without a password, after a recent sign-in. */
export function setPassword(newPassword: string) {
  return answerOf(member.POST('/api/v1/auth/change-password', { body: { newPassword } }))
}

/** Confirms the identity of the user. */
export type Proof = { password: string } | { code: string; isBackupCode?: boolean } | { credential: Assertion }

export function reauthenticate(proof: Proof) {
  return answerOf(member.POST('/api/v1/auth/reauthenticate', { body: proof }))
}

/** Sends a sign-in link to an account without a password. */
export function mailSignInLink(email: string) {
  return answerOf(member.POST('/api/v1/auth/magic-link', { body: { email } }))
}
