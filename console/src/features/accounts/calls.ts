import { answerOf, member, visitor } from '../../api/client'

export function signIn(credentials: { email: string; password: string; remember: boolean }) {
  return answerOf(visitor.POST('/api/v1/auth/login', { body: credentials }))
}

export function register(account: { email: string; password: string }) {
  return answerOf(visitor.POST('/api/v1/auth/register', { body: account }))
}

export function askForLink(email: string) {
  return answerOf(visitor.POST('/api/v1/auth/magic-link', { body: { email } }))
}

export function redeemLink(token: string) {
  return answerOf(visitor.POST('/api/v1/auth/verify', { body: { token } }))
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
