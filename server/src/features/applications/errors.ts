import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const APPLICATION_ERRORS = {
  application_not_found: {
    status: 404,
    title: 'No such application',
    explain: 'There is no such application in this team.',
  },
  no_client_secret: {
    status: 409,
    title: 'This application has no client secret',
    explain:
      'A public client has none, and one of `private_key_jwt` proves itself by its key. Give the application an authentication method that uses a secret first.',
  },
  application_not_oidc: {
    status: 409,
    title: 'The application is no OpenID Connect client',
    explain: 'This is about tokens, and an application of the type SAML gets none.',
  },
  application_not_saml: {
    status: 409,
    title: 'The application is no SAML service provider',
    explain: 'This is about SAML, and an application of the type OIDC does not speak it.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(APPLICATION_ERRORS)
