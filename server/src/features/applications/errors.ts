import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const APPLICATION_ERRORS = {
  application_not_found: {
    status: 404,
    title: 'Application not found',
    explain: 'The ID is unknown in this team.',
  },
  no_client_secret: {
    status: 409,
    title: 'This application has no client secret',
    explain:
      'Public clients have no secret, and `private_key_jwt` clients use a key. Choose an authentication method that uses a secret first.',
  },
  application_not_oidc: {
    status: 409,
    title: 'This application is not an OpenID Connect client',
    explain: 'The request concerns tokens, which applications of type SAML do not receive.',
  },
  application_not_saml: {
    status: 409,
    title: 'This application is not a SAML service provider',
    explain: 'The request concerns SAML, which applications of type OIDC do not use.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(APPLICATION_ERRORS)
