import { DAY, HOUR } from '../../../platform/clock.js'
import { isSingleLine } from '../../../platform/single-line.js'
import {
  type Certificate,
  type IdpMetadata,
  type LogoutUrls,
  logoutUrlsOf,
  parseIdpMetadata,
  type Service,
} from '../../../protocols/saml/index.js'
import { urlViolation } from '../model/provider-url.js'
import { isWebPage } from '../model/web-page.js'

/** SAML Core 8.3.6. */
export const MAX_ENTITY_ID_LENGTH = 1_024

/** Whether an entity ID from metadata is also valid as one that an administrator types. */
const isEntityId = (text: string): boolean => [...text].length <= MAX_ENTITY_ID_LENGTH && isSingleLine(text)

/** The settings in the metadata of an identity provider. */
export interface SamlMetadataSettings {
  entityId: string
  ssoUrl: string
  logoutUrls: LogoutUrls
  /** PEM, the newest first. */
  certificates: string[]
  nameIdFormats: string[]
  /** Parts of the document that were ignored, for administrators. */
  warnings: string[]
  /** Milliseconds after which the document is fetched again. */
  freshFor: number
}

export interface MetadataOptions {
  /** Milliseconds. */
  now: number
  /** The entity to read; undefined accepts the only one in the document. */
  entityId: string | undefined
  /** True if this service itself is served over http. */
  httpAllowed: boolean
}

/** The current certificate of a provider and the next one. */
const MAX_CERTIFICATES = 2
const MAX_URL_LENGTH = 2_000

/**
 * Reads SAML 2.0 metadata (Metadata 2.4.3). A signature of the document is not verified: trust comes from the administrator who uploads
 * it, or from the TLS certificate of the metadata URL.
 * @returns the settings, or why the document cannot be used
 */
export function readSamlMetadata(
  xml: string,
  options: MetadataOptions,
): { facts: SamlMetadataSettings } | { violation: string } {
  const { now, entityId, httpAllowed } = options
  if (isWebPage(xml))
    return {
      violation: 'The document is a web page (HTML), not SAML 2.0 metadata. Use the URL or file of the metadata',
    }
  const parsed = parseIdpMetadata(xml, { now, entityId })
  if ('problems' in parsed) {
    const several = parsed.problems.some(({ id }) => id === 'several_entities')
    const other = entityId === undefined ? undefined : onlyEntityIn(xml, now)
    if (other !== undefined) return { violation: `The metadata describes another provider: ${other}` }
    const details = parsed.problems.map(({ detail }) => detail).join('; ')
    return { violation: `The metadata cannot be used: ${details}${several ? ' (samlEntityId)' : ''}` }
  }
  const { metadata } = parsed
  if (!isEntityId(metadata.entityId))
    return {
      violation:
        'The entity ID is blank, longer than 1,024 characters, or contains invisible characters such as a line break',
    }
  const warnings = metadata.warnings.map(({ detail }) => detail)
  const ssoServices = usableServices(metadata.ssoServices, 'sign-in', httpAllowed, warnings)
  const sso = ssoServices.find(({ binding }) => binding === 'redirect') ?? ssoServices[0]
  if (sso === undefined)
    return { violation: `The metadata has no usable sign-in URL: ${warnings.join('; ') || 'it contains none'}` }
  if (sso.binding === 'post')
    warnings.push(
      'There is no sign-in URL for the redirect binding: requests use that binding with the URL of the POST binding',
    )
  return {
    facts: {
      entityId: metadata.entityId,
      ssoUrl: sso.location,
      logoutUrls: logoutUrlsOf(usableServices(metadata.sloServices, 'sign-out', httpAllowed, warnings)),
      certificates: newest(metadata.signingCertificates, now, warnings),
      nameIdFormats: metadata.nameIdFormats,
      warnings,
      freshFor: freshFor(metadata, now),
    },
  }
}

/** Returns the entity ID of a document with a single entity; undefined for any other document. */
function onlyEntityIn(xml: string, now: number): string | undefined {
  const parsed = parseIdpMetadata(xml, { now })
  return 'metadata' in parsed ? parsed.metadata.entityId : undefined
}

/** Returns the services with URLs that a provider may have. */
const usableServices = (
  services: readonly Service[],
  purpose: 'sign-in' | 'sign-out',
  httpAllowed: boolean,
  warnings: string[],
): Service[] =>
  services.filter(({ binding, location, responseLocation = location }) => {
    const violation = violationOf(location, httpAllowed) ?? violationOf(responseLocation, httpAllowed)
    if (violation) warnings.push(`A ${purpose} URL (${binding}) was ignored: it ${violation}`)
    return violation === undefined
  })

const violationOf = (location: string, httpAllowed: boolean): string | undefined =>
  location.length > MAX_URL_LENGTH ? 'must be shorter than 2,000 characters' : urlViolation(location, httpAllowed)

/** Returns unexpired certificates before expired ones, and then the newest first. */
function newest(certificates: readonly Certificate[], now: number, warnings: string[]): string[] {
  const isExpired = ({ notAfter }: Certificate) => Number(notAfter.getTime() <= now)
  const sorted = certificates.toSorted(
    (a, b) =>
      isExpired(a) - isExpired(b) || b.notBefore.getTime() - a.notBefore.getTime() || a.pem.localeCompare(b.pem),
  )
  const taken = sorted.slice(0, MAX_CERTIFICATES)
  if (taken.length < sorted.length)
    warnings.push(`There are ${sorted.length} signing certificates: the newest ${MAX_CERTIFICATES} are used`)
  for (const certificate of taken)
    if (isExpired(certificate))
      warnings.push(
        `The certificate ${certificate.subject} expired on ${certificate.notAfter.toISOString().slice(0, 10)}`,
      )
  return taken.map(({ pem }) => pem)
}

/** Returns the milliseconds until the next fetch: `cacheDuration` of the document, between an hour and a day. */
const freshFor = ({ cacheDuration = DAY, validUntil }: IdpMetadata, now: number): number =>
  Math.max(HOUR, Math.min(DAY, cacheDuration, validUntil === undefined ? DAY : validUntil - now))
