import type { JsonWebKey } from 'node:crypto'
import type { FieldError } from '../../../platform/app-error.js'
import { readPeerJwk } from '../../../platform/crypto/peer-key.js'
import { rejection } from '../../../platform/errors.js'
import { readCertificate } from '../../../protocols/saml/index.js'
import { uriViolation } from './redirect-uri.js'
import type { Registration } from './registration.js'
import { resourceViolation } from './resource-uri.js'

const CONFIDENTIAL_GRANTS = ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange']
const MAX_JWKS_LENGTH = 49_152
/** Characters of all URIs together: a list of applications returns them all. */
const MAX_URIS_LENGTH = 32_768

const SINGLE_URIS = [
  'backchannelLogoutUri',
  'launchUrl',
  'samlSpAcsUrl',
  'samlSpSloUrl',
  'samlSpSloResponseUrl',
  'samlSpSloPostUrl',
  'samlSpSloPostResponseUrl',
] as const

/**
 * Returns the registration after `change`, validated and normalized. Public client and authentication method none imply each other, so
 * one of the two suffices; lists of names are made unique.
 * @param rules.isHttpAllowed whether http URIs may use other hosts than loopback ones
 * @param rules.baseUrl URL of this service, which cannot be registered as a resource
 * @throws invalid_request with every invalid field
 */
export function normalizeRegistration(
  before: Registration,
  change: Partial<Registration>,
  { isHttpAllowed, baseUrl }: { isHttpAllowed: boolean; baseUrl: string },
): Registration {
  const after: Registration = {
    ...before,
    ...change,
    ...clientKind(before, change),
    grantTypes: [...new Set(change.grantTypes ?? before.grantTypes)],
    responseTypes: [...new Set(change.responseTypes ?? before.responseTypes)],
    scopes: [...new Set(change.scopes ?? before.scopes)],
    resources: [...new Set(change.resources ?? before.resources)],
    ...responseUrls(before, change),
    ...(change.jwks && { jwks: { keys: change.jwks.keys } }),
    ...(change.samlSpCertificate && { samlSpCertificate: asPem(change.samlSpCertificate) }),
  }
  const errors = [
    ...clientErrors(after),
    ...uriErrors(before, change, after, isHttpAllowed),
    ...resourceErrors(change.resources ?? [], baseUrl),
    ...(change.jwks ? keyErrors(change.jwks) : []),
    ...samlErrors(after),
    ...certificateErrors(after),
  ]
  if (errors.length > 0) throw rejection('invalid_request', { detail: 'Some fields are missing or not valid', errors })
  return after
}

/** Removes a URL for LogoutResponses that belonged to the previous URL for requests, unless the change names one. */
function responseUrls(before: Registration, change: Partial<Registration>): Partial<Registration> {
  const isOutdated = (request: 'samlSpSloUrl' | 'samlSpSloPostUrl', response: keyof Registration): boolean =>
    change[request] !== undefined && change[request] !== before[request] && change[response] === undefined
  return {
    ...(isOutdated('samlSpSloUrl', 'samlSpSloResponseUrl') && { samlSpSloResponseUrl: null }),
    ...(isOutdated('samlSpSloPostUrl', 'samlSpSloPostResponseUrl') && { samlSpSloPostResponseUrl: null }),
  }
}

type ClientKind = Pick<Registration, 'isPublicClient' | 'tokenEndpointAuthMethod'>

function clientKind(before: ClientKind, change: Partial<ClientKind>): ClientKind {
  const { isPublicClient: wanted, tokenEndpointAuthMethod: method } = change
  if (method !== undefined) return { tokenEndpointAuthMethod: method, isPublicClient: wanted ?? method === 'none' }
  if (wanted !== undefined && wanted !== before.isPublicClient)
    return { isPublicClient: wanted, tokenEndpointAuthMethod: wanted ? 'none' : 'client_secret_basic' }
  return { isPublicClient: before.isPublicClient, tokenEndpointAuthMethod: before.tokenEndpointAuthMethod }
}

function clientErrors({ isPublicClient, tokenEndpointAuthMethod, grantTypes, jwks }: Registration): FieldError[] {
  const errors: FieldError[] = []
  if (isPublicClient !== (tokenEndpointAuthMethod === 'none'))
    errors.push({ path: '/tokenEndpointAuthMethod', message: 'must be none for a public client, and for no other' })
  if (tokenEndpointAuthMethod === 'private_key_jwt' && !jwks?.keys.length)
    errors.push({ path: '/jwks', message: 'must contain a key: private_key_jwt authenticates the client with it' })
  if (isPublicClient)
    for (const [index, grant] of grantTypes.entries())
      if (CONFIDENTIAL_GRANTS.includes(grant))
        errors.push({ path: `/grantTypes/${index}`, message: 'is not allowed for a public client' })
  return errors
}

/**
 * Validates the URIs that are given, and the stored ones if a public client becomes confidential. Others were valid when they were stored,
 * and must not prevent other changes.
 */
function uriErrors(
  before: Registration,
  change: Partial<Registration>,
  after: Registration,
  isHttpAllowed: boolean,
): FieldError[] {
  const errors: FieldError[] = []
  const verify = (path: string, uri: string, isPrivateUseAllowed: boolean) => {
    const message = uriViolation(uri, { isHttpAllowed, isPrivateUseAllowed })
    if (message) errors.push({ path, message })
  }
  const together = [...after.redirectUris, ...after.postLogoutRedirectUris].join('').length
  if ((change.redirectUris || change.postLogoutRedirectUris) && together > MAX_URIS_LENGTH)
    errors.push({
      path: '/redirectUris',
      message: `must have at most ${MAX_URIS_LENGTH} characters together with the others`,
    })
  const becameConfidential = before.isPublicClient && !after.isPublicClient
  for (const list of ['redirectUris', 'postLogoutRedirectUris'] as const)
    if (change[list] || becameConfidential)
      for (const [index, uri] of after[list].entries()) verify(`/${list}/${index}`, uri, after.isPublicClient)
  for (const field of SINGLE_URIS) if (typeof change[field] === 'string') verify(`/${field}`, change[field], false)
  return errors
}

const resourceErrors = (resources: string[], baseUrl: string): FieldError[] =>
  resources.flatMap((uri, index) => {
    const message = resourceViolation(uri, baseUrl)
    return message ? [{ path: `/resources/${index}`, message }] : []
  })

function keyErrors(jwks: NonNullable<Registration['jwks']>): FieldError[] {
  if (JSON.stringify(jwks).length > MAX_JWKS_LENGTH)
    return [{ path: '/jwks', message: `must NOT have more than ${MAX_JWKS_LENGTH} characters` }]
  return jwks.keys.flatMap((key, index) => {
    const message = keyViolation(key)
    return message ? [{ path: `/jwks/keys/${index}`, message }] : []
  })
}

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** Returns why a JSON Web Key (RFC 7517) cannot authenticate a client; undefined for a valid public key. */
function keyViolation(key: JsonWebKey): string | undefined {
  if (PRIVATE_MEMBERS.some((member) => Object.hasOwn(key, member)))
    return 'must be a public key: remove the private members and stop using this key'
  const read = readPeerJwk(key)
  return 'fault' in read ? read.fault : undefined
}

const samlErrors = ({ type, samlEntityId, samlSpEntityId }: Registration): FieldError[] =>
  type === 'SAML' && !samlEntityId && !samlSpEntityId
    ? [{ path: '/samlEntityId', message: 'is required for a SAML application' }]
    : []

/** Converts a certificate to PEM. An invalid one is returned unchanged, and rejected by the validation. */
function asPem(certificate: string): string {
  const read = readCertificate(certificate)
  return 'violation' in read ? certificate : read.pem
}

function certificateErrors({ samlSpCertificate, samlEncryptAssertion }: Registration): FieldError[] {
  const read = samlSpCertificate ? readCertificate(samlSpCertificate) : undefined
  if (read && 'violation' in read)
    return [{ path: '/samlSpCertificate', message: `must be a certificate: ${read.violation}` }]
  if (samlEncryptAssertion && read?.keyType !== 'RSA')
    return [{ path: '/samlEncryptAssertion', message: 'requires a samlSpCertificate with an RSA key' }]
  return []
}
