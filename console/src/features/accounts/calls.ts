import { call, callAsVisitor } from '../../api/client'
import type { SessionAnswer } from '../../api/contract'

export function signIn(credentials: { email: string; password: string; remember: boolean }) {
  return callAsVisitor<SessionAnswer>('POST', '/auth/login', { body: credentials })
}

export function register(account: { email: string; password: string }) {
  return callAsVisitor<SessionAnswer>('POST', '/auth/register', { body: account })
}

export function askForLink(email: string, returnTo: string | undefined) {
  return callAsVisitor('POST', '/auth/magic-link', { body: { email, ...(returnTo ? { returnTo } : {}) } })
}

export function redeemLink(token: string) {
  return callAsVisitor<SessionAnswer>('POST', '/auth/verify', { body: { token } })
}

export function askForReset(email: string) {
  return callAsVisitor('POST', '/auth/forgot-password', { body: { email } })
}

export function resetPassword(token: string, newPassword: string) {
  return callAsVisitor('POST', '/auth/reset-password', { body: { token, newPassword } })
}

export function confirmAddress(token: string) {
  return call('POST', '/auth/verify-email', { body: { token } })
}

/** Deletes an account that was registered with this address by somebody who never proved it. */
export function disown(token: string) {
  return callAsVisitor('POST', '/auth/disown', { body: { token } })
}

export function onboard(adminEmail: string, setupSecret: string) {
  return callAsVisitor('POST', '/onboard', {
    body: { adminEmail },
    ...(setupSecret ? { headers: { 'x-setup-secret': setupSecret } } : {}),
  })
}
