/** The chapters of the API reference, in the order in which a newcomer needs them. Each route belongs to one. */
export const CHAPTERS = [
  'Sign-in and password',
  'Second factor',
  'Own account',
  'Sessions',
  'Organizations',
  'Members and invitations',
  'Users',
  'Groups',
  'Roles',
  'API tokens',
  'Single sign-on',
  'Directories',
  'SCIM',
  'Applications',
  'OIDC configuration',
  'Policies',
  'Instance settings',
  'Audit logs',
  'OAuth 2.0',
  'OpenID Connect provider',
  'SAML identity provider',
  'Pages',
  'Operation',
] as const

export type Chapter = (typeof CHAPTERS)[number]
