import { call } from '../../api/client'

export function changePassword(currentPassword: string, newPassword: string) {
  return call('POST', '/auth/change-password', { body: { currentPassword, newPassword } })
}

/** For an account without a password, after a recent sign-in. */
export function setPassword(newPassword: string) {
  return call('POST', '/auth/change-password', { body: { newPassword } })
}

export function reauthenticate(password: string) {
  return call('POST', '/auth/reauthenticate', { body: { password } })
}

/** Signs in again by mail, for accounts that have no password to be asked for. */
export function mailSignInLink(email: string) {
  return call('POST', '/auth/magic-link', { body: { email, returnTo: '/account/security' } })
}
