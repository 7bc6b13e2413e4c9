import { type OutboundBatch, OutboundError } from '../../../platform/http/outbound.js'
import type { TeamId } from '../../../platform/ids.js'
import { type Certificate, logoutUrlsOf, parseSpMetadata, type SpMetadata } from '../../../protocols/saml/index.js'
import { OUR_NAME_ID_FORMATS } from '../assertion/name-ids.js'
import { rejection } from '../errors.js'
import type { SamlProviderDeps } from '../model/deps.js'

/** The fields of an application, read from the metadata of its service provider. */
export interface ParsedServiceProvider {
  samlSpEntityId: string
  samlSpAcsUrl: string
  samlSpSloUrl: string | undefined
  samlSpSloResponseUrl: string | undefined
  samlSpSloPostUrl: string | undefined
  samlSpSloPostResponseUrl: string | undefined
  samlSpCertificate: string | undefined
  samlEncryptAssertion: boolean
  samlNameIdFormat: string | undefined
  certificateExpiresAt: Date | undefined
  requestedAttributes: { name: string; friendlyName: string | undefined; isRequired: boolean }[]
  warnings: string[]
}

/**
 * Parses metadata that an administrator pasted or that is fetched from a URL. Stores nothing. Encryption is enabled if the service
 * provider publishes an encryption key that can be used.
 * @param wanted.entityId the entity to read if there are several
 * @throws saml_metadata_unreadable
 */
export async function parseMetadata(
  { clock, outbound }: Pick<SamlProviderDeps, 'clock' | 'outbound'>,
  team: TeamId,
  wanted: { url?: string; xml?: string; entityId?: string },
): Promise<ParsedServiceProvider> {
  const text = wanted.xml ?? (await fetchMetadata(outbound.ofTeam(team).together(), wanted.url ?? ''))
  const parsed = parseSpMetadata(text, { now: clock.ms(), ...(wanted.entityId && { entityId: wanted.entityId }) })
  if (!('metadata' in parsed))
    throw rejection('saml_metadata_unreadable', { detail: parsed.problems.map(({ detail }) => detail).join('; ') })
  const { metadata } = parsed
  const signing = metadata.signingCertificates[0]
  const encryption = metadata.encryptionCertificates[0]
  const certificate = signing ?? encryption
  const slo = logoutUrlsOf(metadata.sloServices)
  const obstacle = certificate && encryption && obstacleToEncryption(metadata, certificate)
  return {
    samlSpEntityId: metadata.entityId,
    samlSpAcsUrl: metadata.acsUrls[0] ?? '',
    samlSpSloUrl: slo.redirect ?? undefined,
    samlSpSloResponseUrl: slo.redirectResponse ?? undefined,
    samlSpSloPostUrl: slo.post ?? undefined,
    samlSpSloPostResponseUrl: slo.postResponse ?? undefined,
    samlSpCertificate: certificate?.pem,
    samlEncryptAssertion: encryption !== undefined && obstacle === undefined,
    samlNameIdFormat: metadata.nameIdFormats.find((format) => OUR_NAME_ID_FORMATS.some((ours) => ours === format)),
    certificateExpiresAt: certificate?.notAfter,
    requestedAttributes: metadata.requestedAttributes,
    warnings: [
      ...metadata.warnings.map(({ detail }) => detail),
      ...(metadata.acsUrls.length > 1
        ? [`There are ${metadata.acsUrls.length} assertion consumer service URLs; the first one is used`]
        : []),
      ...(obstacle ? [obstacle] : []),
      ...(certificate && !metadata.authnRequestsSigned
        ? [
            'The metadata does not state that requests are signed: if they are not, leave the certificate empty and encryption off',
          ]
        : []),
      ...(certificate && certificate.notAfter < clock.now() ? ['The certificate has expired'] : []),
    ],
  }
}

/** The content encryption that we use. */
const OURS = 'http://www.w3.org/2009/xmlenc11#aes256-gcm'
const isContentEncryption = (method: string) => /#(aes\d+-(cbc|gcm)|tripledes-cbc)$/.test(method)

/** Returns why assertions are not encrypted in spite of an encryption key. The certificate is the one that verifies requests. */
function obstacleToEncryption(metadata: SpMetadata, { fingerprint, keyType }: Certificate): string | undefined {
  if (!metadata.encryptionCertificates.some((one) => one.fingerprint === fingerprint))
    return 'Assertions are not encrypted: the encryption certificate differs from the signing certificate, and only one can be stored'
  if (keyType !== 'RSA') return 'Assertions cannot be encrypted: the key is not RSA'
  const read = metadata.encryptionMethods.filter(isContentEncryption)
  return read.length > 0 && !read.includes(OURS)
    ? 'Assertions are not encrypted: the service provider does not support AES-256-GCM'
    : undefined
}

const MAX_REDIRECTS = 3

/** Every URL in a redirect chain is checked when it is connected to, and all of them share one time limit. */
async function fetchMetadata(outbound: OutboundBatch, first: string): Promise<string> {
  let url = first
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (!isWebAddress(url)) throw unreadable('the URL must start with http or https and contain no credentials')
    const { status, headers, body } = await outbound
      .send(url, { method: 'GET', headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' } })
      .catch((error: unknown) => {
        throw error instanceof OutboundError ? unreadable(error.message) : error
      })
    const location = [headers.location].flat()[0]
    if (status === 200) return body
    if (status < 300 || status >= 400 || !location || !URL.canParse(location, url))
      throw unreadable(`the server responded with status ${status}`)
    const next = new URL(location, url)
    if (url.startsWith('https:') && next.protocol !== 'https:') throw unreadable('the URL redirects from https to http')
    url = next.href
  }
  throw unreadable('the URL redirects too often')
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

const unreadable = (detail: string) => rejection('saml_metadata_unreadable', { detail })
