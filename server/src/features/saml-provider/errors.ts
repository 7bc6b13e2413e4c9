import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const SAML_PROVIDER_ERRORS = {
  saml_request_invalid: {
    status: 400,
    title: 'Invalid SAML request',
    explain:
      'The message cannot be read, lacks the signature that the registration of the application requires, is too old, or names a response URL that is not registered. `detail` names the failed checks.',
  },
  saml_request_not_found: {
    status: 404,
    title: 'This sign-in request has expired or was already completed',
    explain: 'A request is valid for five minutes and receives one response. Start again at the application.',
  },
  saml_session_not_shown: {
    status: 400,
    title: 'The browser did not send the cookie of your session',
    explain:
      'The user signed in, and the browser returned to the request of the application, but it sent no session cookie. The browser blocks or has deleted the cookies of this host, or the sign-in page has another host. Signing in again would have the same result.',
  },
  saml_not_configured: {
    status: 409,
    title: 'The SAML application is not configured completely',
    explain:
      'Its `samlSpAcsUrl` is missing, so there is no URL for the response, or the `samlSpCertificate` for encryption cannot be read. `detail` names the field.',
  },
  saml_application_stopped: {
    status: 403,
    title: 'The application is stopped',
    explain: 'An administrator of the team has stopped it. Sign-ins are rejected until it is started again.',
  },
  saml_idp_initiated_refused: {
    status: 403,
    title: 'Sign-ins to this application must start at the application',
    explain: 'Open the application at its own URL, or enable `samlAllowIdpInitiated`.',
  },
  saml_response_too_large: {
    status: 409,
    title: 'The response to the application would be too large',
    explain:
      'The attributes, usually the groups of the user, exceed the limit of a SAML response (256 kB). Map fewer attributes.',
  },
  saml_logout_incomplete: {
    status: 403,
    title: 'You are signed out here, but maybe not everywhere',
    explain: 'An application did not confirm that it ended its session. Sign out there, or close the browser.',
  },
  saml_metadata_unreadable: {
    status: 422,
    title: 'The metadata cannot be used',
    explain:
      'It cannot be fetched, does not describe a SAML service provider, or has expired. `detail` contains the reason.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(SAML_PROVIDER_ERRORS)
