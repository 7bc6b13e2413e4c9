import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const SESSION_ERRORS = {
  invalid_refresh_token: {
    status: 401,
    title: 'The refresh token is not valid',
    explain:
      'The refresh token is unknown, its 30 days are over, or its session was revoked or has reached its absolute end (`sessionMaxLifetimeDays`). A token used twice more than 30 seconds apart ends its session. Sign in again.',
  },
  session_not_found: {
    status: 404,
    title: 'No such session',
    explain: 'None of your living sessions has this id.',
  },
  device_not_found: {
    status: 404,
    title: 'No such device',
    explain: 'You have not signed in from a device with this id, or it was forgotten already.',
  },
  invalid_token: {
    status: 400,
    title: 'This link was used already, or its time is over',
    explain: 'A link by mail works once and for a limited time, and a newer one replaces it. Ask for another.',
  },
  session_replacement_over: {
    status: 400,
    title: 'There is no sign-in to confirm',
    explain:
      'No session waits in this browser to replace its own, or it has ended. Confirm within ten minutes, from a page of the service; otherwise sign in again.',
  },
  reauthentication_required: {
    status: 403,
    title: 'Prove once more that it is you',
    explain: 'This act wants a proof at most 15 minutes old: `POST /auth/reauthenticate`, then repeat it.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(SESSION_ERRORS)
