import type { applications } from '../tables.js'

export type Application = typeof applications.$inferSelect

/** The fields that the service sets. */
const SERVICE_FIELDS = [
  'id',
  'organizationId',
  'clientId',
  'secretHash',
  'secretRotatedAt',
  'previousSecretHash',
  'previousSecretUntil',
  'registrationTokenHash',
  'registrationTokenBy',
  'registrationTokenEpoch',
  'registrationTokenTemporarySetBy',
  'registrationTokenOfInstance',
  'withheldGrantTypes',
  'secretsEnded',
  'stoppedAt',
  'version',
  'generation',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof Application)[]

/** The fields that an administrator sets. */
export type Registration = Omit<Application, (typeof SERVICE_FIELDS)[number]>

/** Removes the fields that the service sets. */
export function toRegistration(application: Application): Registration {
  const isSetByService = new Set<string>(SERVICE_FIELDS)
  return Object.fromEntries(
    Object.entries(application).filter(([field]) => !isSetByService.has(field)),
  ) as unknown as Registration
}

/** Returns the defaults of a new application. A SAML application gets no OAuth grants. */
export function newRegistration(name: string, type: Registration['type']): Registration {
  const isOidc = type === 'OIDC'
  return {
    name,
    type,
    description: null,
    logoUrl: null,
    redirectUris: [],
    postLogoutRedirectUris: [],
    backchannelLogoutUri: null,
    grantTypes: isOidc ? ['authorization_code', 'refresh_token'] : [],
    responseTypes: isOidc ? ['code'] : [],
    scopes: isOidc ? ['openid', 'profile', 'email', 'offline_access'] : [],
    tokenEndpointAuthMethod: 'client_secret_basic',
    isPublicClient: false,
    requireDpop: false,
    dpopNonceEnabled: false,
    isAiAgent: false,
    jwks: null,
    launchUrl: null,
    resources: [],
    assignmentRequired: false,
    samlEntityId: null,
    samlSpEntityId: null,
    samlSpAcsUrl: null,
    samlNameIdFormat: null,
    samlAttributeMapping: null,
    samlSpCertificate: null,
    samlEncryptAssertion: false,
    samlSpSloUrl: null,
    samlSpSloResponseUrl: null,
    samlSpSloPostUrl: null,
    samlSpSloPostResponseUrl: null,
    samlAllowIdpInitiated: false,
  }
}

/** Returns whether the client authenticates with a secret. Public clients do not authenticate; `private_key_jwt` uses a key. */
export const usesSecret = ({
  tokenEndpointAuthMethod: method,
}: Pick<Registration, 'tokenEndpointAuthMethod'>): boolean =>
  method === 'client_secret_basic' || method === 'client_secret_post'
