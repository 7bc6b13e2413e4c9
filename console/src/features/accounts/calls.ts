import { answerOf, member, visitor } from '../../api/client'
import { session } from '../../api/session'
import { boot } from '../../boot'

export function signIn(credentials: { email: string; password: string; remember: boolean }) {
  return answerOf(visitor.POST('/api/v1/auth/login', { body: credentials }))
}

export function register(account: { email: string; password: string }) {
  return answerOf(visitor.POST('/api/v1/auth/register', { body: account }))
}

export function askForLink(email: string) {
  return answerOf(visitor.POST('/api/v1/auth/magic-link', { body: { email } }))
}

/** Sent with the session of this browser, where there is one: for the account itself the proof takes nothing away. */
export async function redeemLink(token: string) {
  const bearer = boot.hasSession && (await session.restore()) ? await session.bearer() : 'ended'
  const headers = typeof bearer === 'object' ? { Authorization: `Bearer ${bearer.token}` } : {}
  return answerOf(visitor.POST('/api/v1/auth/verify', { body: { token }, headers }))
}

export function askForReset(email: string) {
  return answerOf(visitor.POST('/api/v1/auth/forgot-password', { body: { email } }))
}

export function resetPassword(token: string, newPassword: string) {
  return answerOf(visitor.POST('/api/v1/auth/reset-password', { body: { token, newPassword } }))
}

export function confirmAddress(token: string) {
  return answerOf(member.POST('/api/v1/auth/verify-email', { body: { token } }))
}

/** Deletes an account that was registered with this address by somebody who never proved it. */
export function disown(token: string) {
  return answerOf(visitor.POST('/api/v1/auth/disown', { body: { token } }))
}

/** @param setupSecret empty where the service asks for none */
export function onboard(adminEmail: string, setupSecret: string) {
  const headers = setupSecret ? { 'x-setup-secret': setupSecret } : {}
  return answerOf(visitor.POST('/api/v1/onboard', { body: { adminEmail }, headers }))
}
