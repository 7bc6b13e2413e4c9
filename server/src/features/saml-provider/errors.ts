import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const SAML_PROVIDER_ERRORS = {
  saml_request_invalid: {
    status: 400,
    title: 'The SAML request is not valid',
    explain:
      'It cannot be read, is not signed as the registration of the application wants it, is too old, or wants the answer at an address that is not registered. `detail` names what failed.',
  },
  saml_request_not_found: {
    status: 404,
    title: 'No such sign-in is waiting',
    explain: 'A request waits for five minutes and is answered once. Begin again at the application.',
  },
  saml_session_not_shown: {
    status: 400,
    title: 'The browser does not show the session that it has just opened',
    explain:
      'Somebody signed in on our page, which went on with the request of the application, but the browser sent no cookie of that session. Cookies are blocked or deleted for this address, or the page runs at another one. Signing in once more would lead to the same place.',
  },
  saml_not_configured: {
    status: 409,
    title: 'The SAML application is not set up',
    explain:
      'Its `samlSpAcsUrl` is missing, so that nobody knows where an answer would go, or the `samlSpCertificate` to which it is to be encrypted cannot be read. `detail` names it.',
  },
  saml_application_stopped: {
    status: 403,
    title: 'The application is stopped',
    explain: 'Administrators of its team stopped it: nobody is signed in to it until it is started again.',
  },
  saml_idp_initiated_refused: {
    status: 403,
    title: 'A sign-in to this application does not begin here',
    explain: 'Open the application by its own address, or allow it by `samlAllowIdpInitiated`.',
  },
  saml_response_too_large: {
    status: 409,
    title: 'What would be told to the application is too much',
    explain: 'The attributes, mostly the groups of the user, do not fit into a SAML response of 256 kB. Map fewer.',
  },
  saml_logout_incomplete: {
    status: 403,
    title: 'You are signed out here, and perhaps not everywhere',
    explain: 'An application did not say that it ended its own session. Sign out there, or close the browser.',
  },
  saml_metadata_unreadable: {
    status: 422,
    title: 'The metadata cannot be used',
    explain: 'It cannot be fetched, is no metadata of a SAML service provider, or has expired. `detail` says which.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(SAML_PROVIDER_ERRORS)
