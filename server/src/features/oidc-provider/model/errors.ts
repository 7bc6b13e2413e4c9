import { type ErrorTable, rejections } from '../../../platform/app-error.js'

export const OIDC_PROVIDER_ERRORS = {
  issuer_not_found: {
    status: 404,
    title: 'Issuer not found',
    explain: 'The URL names no team and no application of this service.',
  },
  interaction_not_found: {
    status: 404,
    title: 'This sign-in request has expired or was already completed',
    explain:
      'The request was already completed, is older than an hour, or belongs to another issuer. Start again from the application.',
  },
  application_access_denied: {
    status: 403,
    title: "You don't have access to this application",
    explain:
      'You are not a member of the team that the application belongs to, or the application requires an assignment and is not assigned to you.',
  },
  interaction_outdated: {
    status: 409,
    title: 'The application changed after this sign-in began',
    explain:
      'The redirect URI or all requested scopes are no longer registered, or the application now requires PKCE. Or the application was stopped, or has a new secret or another authentication method. Start again from the application.',
  },
  wrong_browser: {
    status: 403,
    title: 'This sign-in request began in another browser',
    explain:
      'Only the browser that began a sign-in request can complete it, so that no third party can make you complete theirs. Start again from the application.',
  },
  wrong_user: {
    status: 403,
    title: 'The application requested another user',
    explain: 'The request contains an `id_token_hint` or a `sub` of another user. Sign in as that user.',
  },
  device_code_not_found: {
    status: 404,
    title: 'No device shows this code',
    explain:
      'The code is wrong, was already used, or is older than ten minutes. Check the code on the device, or request a new one.',
  },
  grant_not_found: {
    status: 404,
    title: 'Grant not found',
    explain: 'You have granted no application with this ID access, or you have withdrawn the grant.',
  },
  withdrawn_grant_not_found: {
    status: 404,
    title: 'Withdrawn grant not found',
    explain:
      'No withdrawn grant exists for an agent with this ID that you can use. Other applications request consent at their next sign-in.',
  },
  logout_not_found: {
    status: 404,
    title: 'This sign-out request has expired',
    explain:
      'The sign-out request is older than ten minutes or was already confirmed. You can still sign out on the account page.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(OIDC_PROVIDER_ERRORS)
