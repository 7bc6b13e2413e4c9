import { type OutboundAct, OutboundError } from '../../platform/http/outbound.js'
import type { TeamId } from '../../platform/ids.js'
import { type Certificate, parseSpMetadata, type SpMetadata } from '../../protocols/saml/index.js'
import type { SamlProviderDeps } from './deps.js'
import { rejection } from './errors.js'
import { OUR_NAME_ID_FORMATS } from './name-ids.js'

/** What the fields of an application become by a service provider's metadata. */
export interface ParsedServiceProvider {
  samlSpEntityId: string
  samlSpAcsUrl: string
  samlSpSloUrl: string | undefined
  samlSpCertificate: string | undefined
  samlEncryptAssertion: boolean
  samlNameIdFormat: string | undefined
  certificateExpiresAt: Date | undefined
  requestedAttributes: { name: string; friendlyName: string | undefined; isRequired: boolean }[]
  warnings: string[]
}

/**
 * Reads metadata that an administrator pasted, or names the address of. Nothing is stored. Assertions are to be encrypted where the service
 * provider has a key for it: it is the one that its metadata asks for by itself.
 * @param wanted.entityId which of several is meant
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
  const slo = metadata.sloServices.find(({ binding }) => binding === 'redirect')
  const obstacle = certificate && encryption && obstacleToEncryption(metadata, certificate)
  return {
    samlSpEntityId: metadata.entityId,
    samlSpAcsUrl: metadata.acsUrls[0] ?? '',
    samlSpSloUrl: slo?.location,
    samlSpCertificate: certificate?.pem,
    samlEncryptAssertion: encryption !== undefined && obstacle === undefined,
    samlNameIdFormat: metadata.nameIdFormats.find((format) => OUR_NAME_ID_FORMATS.some((ours) => ours === format)),
    certificateExpiresAt: certificate?.notAfter,
    requestedAttributes: metadata.requestedAttributes,
    warnings: [
      ...metadata.warnings.map(({ detail }) => detail),
      ...(metadata.acsUrls.length > 1
        ? [`It has ${metadata.acsUrls.length} addresses that take answers; the first one is taken`]
        : []),
      ...(obstacle ? [obstacle] : []),
      ...(certificate && !metadata.authnRequestsSigned
        ? ['It does not say that it signs its requests: leave the certificate out, and encryption off, if it does not']
        : []),
      ...(certificate && certificate.notAfter < clock.now() ? ['Its certificate has expired'] : []),
      ...(metadata.sloServices.length > 0 && !slo ? ['Its sign-out takes no redirects, and is left out'] : []),
    ],
  }
}

/** The content encryption that we write. */
const OURS = 'http://www.w3.org/2009/xmlenc11#aes256-gcm'
const isContentEncryption = (method: string) => /#(aes\d+-(cbc|gcm)|tripledes-cbc)$/.test(method)

/** Why assertions are not encrypted although it has a key for it; the certificate is the one by which its requests are checked. */
function obstacleToEncryption(metadata: SpMetadata, { fingerprint, keyType }: Certificate): string | undefined {
  if (!metadata.encryptionCertificates.some((one) => one.fingerprint === fingerprint))
    return 'It encrypts by another certificate than it signs by: there is room for one, which checks its requests, and assertions are not encrypted'
  if (keyType !== 'RSA') return 'Its key is not RSA: assertions cannot be encrypted to it'
  const read = metadata.encryptionMethods.filter(isContentEncryption)
  return read.length > 0 && !read.includes(OURS)
    ? 'It does not read AES-256-GCM, by which we encrypt: assertions are not encrypted'
    : undefined
}

const MOST_REDIRECTS = 3

/** Every address on the way is judged when it is connected to, and all of them together have the time of one act. */
async function fetchMetadata(outbound: OutboundAct, first: string): Promise<string> {
  let url = first
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    if (!isWebAddress(url)) throw unreadable('this is no web address')
    const answer = await outbound
      .send(url, { method: 'GET', headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' } })
      .catch((error: unknown) => {
        throw error instanceof OutboundError ? unreadable(error.message) : error
      })
    const location = [answer.headers.location].flat()[0]
    if (answer.status === 200) return answer.body
    if (answer.status < 300 || answer.status >= 400 || !location || !URL.canParse(location, url))
      throw unreadable(`it was answered with the status ${answer.status}`)
    const next = new URL(location, url)
    if (url.startsWith('https:') && next.protocol !== 'https:') throw unreadable('it is redirected away from https')
    url = next.href
  }
  throw unreadable('it is redirected too often')
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

const unreadable = (detail: string) => rejection('saml_metadata_unreadable', { detail })
