import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const SESSION_ERRORS = {
  invalid_refresh_token: {
    status: 401,
    title: 'Invalid refresh token',
    explain:
      'The refresh token is unknown or has expired (30 days), or its session was revoked or has reached its maximum lifetime (`sessionMaxLifetimeDays`). Reuse of a token after more than 30 seconds ends its session. Sign in again.',
  },
  session_not_found: {
    status: 404,
    title: 'Session not found',
    explain: 'None of your active sessions has this ID.',
  },
  device_not_found: {
    status: 404,
    title: 'Device not found',
    explain: 'You have not signed in from a device with this ID, or it was already removed.',
  },
  invalid_token: {
    status: 400,
    title: 'This link was already used or has expired',
    explain: 'A mailed link can be used once, for a limited time. Request another one.',
  },
  session_replacement_over: {
    status: 400,
    title: 'No pending sign-in',
    explain:
      'No session waits in this browser for confirmation, or it has ended. Confirm within ten minutes, from a page of the service; otherwise sign in again.',
  },
  reauthentication_required: {
    status: 403,
    title: 'Sign in again to continue',
    explain:
      'This action requires an authentication within the last 15 minutes. Call `POST /auth/reauthenticate`, then repeat the request.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(SESSION_ERRORS)
