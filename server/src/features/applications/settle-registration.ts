import type { FieldError } from '../../platform/app-error.js'
import { rejection } from '../../platform/errors.js'
import { readCertificate } from '../../protocols/saml/index.js'
import { keyFault } from './client-keys.js'
import { uriFault } from './redirect-uri.js'
import type { Registration } from './registration.js'
import { resourceFault } from './resource-uri.js'

const CONFIDENTIAL_GRANTS = ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange']
const JWKS_CHARACTERS = 49_152
/** All addresses together: a list of applications is answered whole. */
const URI_CHARACTERS = 32_768

/**
 * The registration as `change` leaves it: a public client has the authentication method none and the other way round, so that
 * naming one of the two is enough; lists of names hold each once.
 * @param rules.httpAnywhere whether http addresses may lead to other machines
 * @param rules.baseUrl address of this service, which is no resource that somebody can register
 * @throws invalid_request naming every field that is wrong
 */
export function settleRegistration(
  before: Registration,
  change: Partial<Registration>,
  { httpAnywhere, baseUrl }: { httpAnywhere: boolean; baseUrl: string },
): Registration {
  const after: Registration = {
    ...before,
    ...change,
    ...clientKind(before, change),
    grantTypes: [...new Set(change.grantTypes ?? before.grantTypes)],
    responseTypes: [...new Set(change.responseTypes ?? before.responseTypes)],
    scopes: [...new Set(change.scopes ?? before.scopes)],
    resources: [...new Set(change.resources ?? before.resources)],
    ...(change.jwks && { jwks: { keys: change.jwks.keys } }),
    ...(change.samlSpCertificate && { samlSpCertificate: asPem(change.samlSpCertificate) }),
  }
  const errors = [
    ...clientFaults(after),
    ...uriFaults(before, change, after, httpAnywhere),
    ...resourceFaults(change.resources ?? [], baseUrl),
    ...(change.jwks ? keyFaults(change.jwks) : []),
    ...samlFaults(after),
    ...certificateFaults(after),
  ]
  if (errors.length > 0) throw rejection('invalid_request', { detail: 'Some fields are missing or not valid', errors })
  return after
}

type ClientKind = Pick<Registration, 'isPublicClient' | 'tokenEndpointAuthMethod'>

function clientKind(before: ClientKind, change: Partial<ClientKind>): ClientKind {
  const { isPublicClient: wanted, tokenEndpointAuthMethod: method } = change
  if (method !== undefined) return { tokenEndpointAuthMethod: method, isPublicClient: wanted ?? method === 'none' }
  if (wanted !== undefined && wanted !== before.isPublicClient)
    return { isPublicClient: wanted, tokenEndpointAuthMethod: wanted ? 'none' : 'client_secret_basic' }
  return { isPublicClient: before.isPublicClient, tokenEndpointAuthMethod: before.tokenEndpointAuthMethod }
}

function clientFaults({ isPublicClient, tokenEndpointAuthMethod, grantTypes, jwks }: Registration): FieldError[] {
  const errors: FieldError[] = []
  if (isPublicClient !== (tokenEndpointAuthMethod === 'none'))
    errors.push({ path: '/tokenEndpointAuthMethod', message: 'must be none for a public client, and for no other' })
  if (tokenEndpointAuthMethod === 'private_key_jwt' && !jwks?.keys.length)
    errors.push({ path: '/jwks', message: 'must hold a key: private_key_jwt proves the client by it' })
  if (isPublicClient)
    for (const [index, grant] of grantTypes.entries())
      if (CONFIDENTIAL_GRANTS.includes(grant))
        errors.push({ path: `/grantTypes/${index}`, message: 'must not be given to a public client' })
  return errors
}

/**
 * Judges the addresses that are given, and those that stay where a public client becomes confidential; others were judged when
 * they came, and must not stand in the way of another change.
 */
function uriFaults(
  before: Registration,
  change: Partial<Registration>,
  after: Registration,
  httpAnywhere: boolean,
): FieldError[] {
  const errors: FieldError[] = []
  const verify = (path: string, uri: string, privateUse: boolean) => {
    const message = uriFault(uri, { httpAnywhere, privateUse })
    if (message) errors.push({ path, message })
  }
  const together = [...after.redirectUris, ...after.postLogoutRedirectUris].join('').length
  if ((change.redirectUris || change.postLogoutRedirectUris) && together > URI_CHARACTERS)
    errors.push({
      path: '/redirectUris',
      message: `must have at most ${URI_CHARACTERS} characters together with the others`,
    })
  const becameConfidential = before.isPublicClient && !after.isPublicClient
  for (const list of ['redirectUris', 'postLogoutRedirectUris'] as const)
    if (change[list] || becameConfidential)
      for (const [index, uri] of after[list].entries()) verify(`/${list}/${index}`, uri, after.isPublicClient)
  for (const field of ['backchannelLogoutUri', 'launchUrl', 'samlSpAcsUrl', 'samlSpSloUrl'] as const)
    if (typeof change[field] === 'string') verify(`/${field}`, change[field], false)
  return errors
}

const resourceFaults = (resources: string[], baseUrl: string): FieldError[] =>
  resources.flatMap((uri, index) => {
    const message = resourceFault(uri, baseUrl)
    return message ? [{ path: `/resources/${index}`, message }] : []
  })

function keyFaults(jwks: NonNullable<Registration['jwks']>): FieldError[] {
  if (JSON.stringify(jwks).length > JWKS_CHARACTERS)
    return [{ path: '/jwks', message: `must NOT have more than ${JWKS_CHARACTERS} characters` }]
  return jwks.keys.flatMap((key, index) => {
    const message = keyFault(key)
    return message ? [{ path: `/jwks/keys/${index}`, message }] : []
  })
}

const samlFaults = ({ type, samlEntityId, samlSpEntityId }: Registration): FieldError[] =>
  type === 'SAML' && !samlEntityId && !samlSpEntityId
    ? [{ path: '/samlEntityId', message: 'is required for a SAML application' }]
    : []

/** As it is kept whatever it was given as; what cannot be read stays, and is refused. */
function asPem(text: string): string {
  const read = readCertificate(text)
  return 'fault' in read ? text : read.pem
}

function certificateFaults({ samlSpCertificate, samlEncryptAssertion }: Registration): FieldError[] {
  const read = samlSpCertificate ? readCertificate(samlSpCertificate) : undefined
  if (read && 'fault' in read) return [{ path: '/samlSpCertificate', message: `must be a certificate: ${read.fault}` }]
  if (samlEncryptAssertion && read?.keyType !== 'RSA')
    return [{ path: '/samlEncryptAssertion', message: 'needs a samlSpCertificate with an RSA key' }]
  return []
}
