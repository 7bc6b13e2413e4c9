import { type ErrorTable, rejections } from '../../../platform/app-error.js'

export const OIDC_PROVIDER_ERRORS = {
  issuer_not_found: {
    status: 404,
    title: 'No such issuer',
    explain: 'The address names no team and no application of this service.',
  },
  interaction_not_found: {
    status: 404,
    title: 'This sign-in request is over',
    explain:
      'The request was answered already, is older than an hour, or belongs to another issuer. Start again from the application.',
  },
  application_access_denied: {
    status: 403,
    title: 'You may not use this application',
    explain:
      'You are not a member of the team that the application belongs to, or it is open only to those to whom it is assigned and you are not one of them.',
  },
  interaction_outdated: {
    status: 409,
    title: 'The application was changed since this sign-in began',
    explain:
      'What the request asks for is no longer registered for the application: its redirect URI, all of its scopes, or that it may do without PKCE; or the application was stopped, or got a new secret or another way to prove itself. Start again from the application.',
  },
  wrong_browser: {
    status: 403,
    title: 'This sign-in request began in another browser',
    explain:
      'A sign-in request is finished in the browser that began it, so that nobody can make you finish theirs. Start again from the application.',
  },
  wrong_user: {
    status: 403,
    title: 'The application asked for another user',
    explain: 'The request carries an `id_token_hint` or a `sub` of another user. Sign in as that user.',
  },
  device_code_not_found: {
    status: 404,
    title: 'No device shows this code',
    explain:
      'The code is wrong, was answered already, or is older than ten minutes. Look at the device again, or let it show a new one.',
  },
  grant_not_found: {
    status: 404,
    title: 'Nothing is allowed there',
    explain: 'You have allowed no application with this id anything, or have taken it back.',
  },
  withdrawn_grant_not_found: {
    status: 404,
    title: 'Nothing can be allowed again there',
    explain:
      'You have taken back nothing from an agent with this id that you may still use, or have allowed it again already. Other applications ask you at their own sign-in.',
  },
  logout_not_found: {
    status: 404,
    title: 'This sign-out request is over',
    explain: 'The request to sign out is older than ten minutes. Whoever is signed in can still sign out.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(OIDC_PROVIDER_ERRORS)
