import { DAY, HOUR } from '../../platform/clock.js'
import { type Certificate, type IdpMetadata, parseIdpMetadata, type Service } from '../../protocols/saml/index.js'
import { addressFault } from './address-fault.js'
import { isEntityId } from './entity-id.js'

/** What metadata says of an identity provider, as far as a provider here takes it. */
export interface SamlFacts {
  entityId: string
  ssoUrl: string
  sloUrl: string | null
  /** PEM, the newest first. */
  certificates: string[]
  nameIdFormats: string[]
  /** What was passed over, for whoever configures it. */
  warnings: string[]
  /** Milliseconds after which it is worth reading again. */
  freshFor: number
}

export interface MetadataQuestion {
  /** Milliseconds. */
  now: number
  /** Which entity is meant; undefined where whichever is in it is. */
  entityId: string | undefined
  /** Where the service itself is reached in the clear. */
  httpAllowed: boolean
}

/** Of a provider: one that signs, and one that it goes over to. */
const MOST_CERTIFICATES = 2
const LONGEST_ADDRESS = 2_000

/**
 * Reads metadata of SAML 2.0 (Metadata 2.4.3). A signature on it is not judged: whoever uploads it vouches for it, and the TLS of the
 * address that it lies at says whose it is.
 * @returns what it says, or in words why it cannot be used
 */
export function readSamlMetadata(xml: string, question: MetadataQuestion): { facts: SamlFacts } | { fault: string } {
  const { now, entityId, httpAllowed } = question
  const parsed = parseIdpMetadata(xml, { now, entityId })
  if ('problems' in parsed) {
    const several = parsed.problems.some(({ id }) => id === 'several_entities')
    const other = entityId === undefined ? undefined : onlyEntityIn(xml, now)
    if (other !== undefined) return { fault: `It is the metadata of another provider: ${other}` }
    const details = parsed.problems.map(({ detail }) => detail).join('; ')
    return { fault: `It is no metadata that can be used: ${details}${several ? ' (samlEntityId)' : ''}` }
  }
  const { metadata } = parsed
  if (!isEntityId(metadata.entityId))
    return {
      fault:
        'Its entity id is blank, longer than 1,024 characters, or holds characters that nobody sees, such as a line break',
    }
  const warnings = metadata.warnings.map(({ detail }) => detail)
  const sso = addressOf(metadata.ssoServices, 'sign in', httpAllowed, warnings)
  if (sso === undefined)
    return { fault: `It names no address to sign in at that can be used: ${warnings.join('; ') || 'none is there'}` }
  if (sso.binding === 'post')
    warnings.push(
      'it names no address for the redirect binding: requests are sent by it to the address of the other one',
    )
  return {
    facts: {
      entityId: metadata.entityId,
      ssoUrl: sso.location,
      sloUrl: sloUrlOf(metadata, httpAllowed, warnings),
      certificates: newest(metadata.signingCertificates, now, warnings),
      nameIdFormats: metadata.nameIdFormats,
      warnings,
      freshFor: freshFor(metadata, now),
    },
  }
}

/** The entity id of a document that has one entity; undefined for any other. */
function onlyEntityIn(xml: string, now: number): string | undefined {
  const parsed = parseIdpMetadata(xml, { now })
  return 'metadata' in parsed ? parsed.metadata.entityId : undefined
}

/** The first address of the redirect binding, else of the other one. */
function addressOf(
  services: readonly Service[],
  what: string,
  httpAllowed: boolean,
  warnings: string[],
): Service | undefined {
  const usable = services.filter(({ binding, location }) => {
    const fault =
      location.length > LONGEST_ADDRESS ? 'must be shorter than 2,000 characters' : addressFault(location, httpAllowed)
    if (fault) warnings.push(`an address to ${what} at (${binding}) was passed over: it ${fault}`)
    return fault === undefined
  })
  return usable.find(({ binding }) => binding === 'redirect') ?? usable[0]
}

/** Where a browser is sent to with a request to sign out, and with the answer to one. */
function sloUrlOf({ sloServices }: IdpMetadata, httpAllowed: boolean, warnings: string[]): string | null {
  const slo = addressOf(sloServices, 'sign out', httpAllowed, warnings)
  if (slo === undefined) return null
  if (slo.binding === 'post') {
    warnings.push('it names no address to sign out at for the redirect binding: people sign out here alone')
    return null
  }
  if (slo.responseLocation !== undefined && slo.responseLocation !== slo.location)
    warnings.push('answers to its sign-outs go to the address of the requests, and not to one of their own')
  return slo.location
}

/** Those that have not ended come before those that have, and then the newest. */
function newest(certificates: readonly Certificate[], now: number, warnings: string[]): string[] {
  const ended = ({ notAfter }: Certificate) => Number(notAfter.getTime() <= now)
  const sorted = certificates.toSorted(
    (a, b) => ended(a) - ended(b) || b.notBefore.getTime() - a.notBefore.getTime() || a.pem.localeCompare(b.pem),
  )
  const taken = sorted.slice(0, MOST_CERTIFICATES)
  if (taken.length < sorted.length)
    warnings.push(`it has ${sorted.length} certificates that sign: the newest ${MOST_CERTIFICATES} are taken`)
  for (const certificate of taken)
    if (ended(certificate))
      warnings.push(
        `the certificate ${certificate.subject} ended on ${certificate.notAfter.toISOString().slice(0, 10)}`,
      )
  return taken.map(({ pem }) => pem)
}

/** As it says itself, at least an hour and at most a day. */
const freshFor = ({ cacheDuration = DAY, validUntil }: IdpMetadata, now: number): number =>
  Math.max(HOUR, Math.min(DAY, cacheDuration, validUntil === undefined ? DAY : validUntil - now))
