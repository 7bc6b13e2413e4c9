import type { Element } from '@xmldom/xmldom'
import { shown } from '../checks.js'
import { type Certificate, readCertificate } from '../crypto/certificates.js'
import { readDuration, readInstant } from '../xml/instants.js'
import { BINDINGS, NS } from '../xml/names.js'
import { readXml } from '../xml/read-xml.js'
import { attribute, childNamed, childrenNamed, elementsIn, isNamed, textOf, trimmedTextOf } from '../xml/xml-tree.js'

/** A reason to reject the metadata or to ignore a part of it. `id` is stable. */
export interface MetadataProblem {
  id:
    | 'unreadable'
    | 'no_entity'
    | 'several_entities'
    | 'entity_id'
    | 'expired'
    | 'certificate'
    | 'no_certificate'
    | 'no_service'
    | 'location'
  detail: string
}

/** The metadata with warnings for ignored parts, or the problems that caused its rejection. */
type ParsedMetadata<Metadata> =
  | { metadata: Metadata & { warnings: MetadataProblem[] } }
  | { problems: MetadataProblem[] }

export interface MetadataOptions {
  /** The current time, in milliseconds since the epoch. */
  now: number
  /** The entity to read from a document with several. */
  entityId?: string | undefined
}

export interface Service {
  binding: 'redirect' | 'post'
  location: string
  /** URL for responses, if it differs. */
  responseLocation: string | undefined
}

/** The values that IdP and SP metadata have in common. */
interface Entity {
  entityId: string
  validUntil: number | undefined
  /** Milliseconds after which the document should be fetched again; undefined if absent. */
  cacheDuration: number | undefined
  nameIdFormats: string[]
  signingCertificates: Certificate[]
  encryptionCertificates: Certificate[]
  sloServices: Service[]
}

type RoleName = 'IDPSSODescriptor' | 'SPSSODescriptor'

/**
 * Finds an entity in metadata (Metadata 2.3) and parses one of its roles. A signature of the document is not verified: the administrator who
 * provides the document or its URL is trusted. Reports every problem of the selected entity. Never throws for an
 * invalid document.
 * @param readRole parses the role-specific elements and adds their problems to the list
 */
export function parseEntity<Role>(
  text: string,
  roleName: RoleName,
  { now, entityId }: MetadataOptions,
  readRole: (role: Element, entity: Entity, problems: MetadataProblem[]) => Role,
): ParsedMetadata<Entity & Role> {
  // Pasted documents may begin with a byte order mark or a line break.
  const read = readXml(text.trim())
  if ('violation' in read) return rejectedFor('unreadable', `The document can't be parsed: ${read.violation}`)
  if (!['EntityDescriptor', 'EntitiesDescriptor'].some((name) => isNamed(read.root, NS.metadata, name)))
    return rejectedFor('unreadable', `The document is not SAML 2.0 metadata: ${shown(read.root.tagName)}`)
  const candidates = elementsIn(read.root)
    .filter((element) => isNamed(element, NS.metadata, 'EntityDescriptor'))
    .map((entity) => ({ entity, role: roleOf(entity, roleName), id: attribute(entity, 'entityID') ?? '' }))
    .filter(({ id }) => entityId === undefined || id === entityId)
    .filter(({ role }) => role !== undefined)
  const [found, second] = candidates
  if (!found?.role)
    return rejectedFor('no_entity', `No ${roleName} for SAML 2.0${entityId ? ' with this entity ID' : ''} found`)
  if (second)
    return rejectedFor('several_entities', `The document contains ${candidates.length} entities. Specify the entity ID`)

  const { role, id } = found
  const problems: MetadataProblem[] = []
  if (id === '' || id.length > 1_024) problems.push({ id: 'entity_id', detail: 'The entity ID is empty or too long' })
  // Groups of entities can be nested, and limit the entities in them (Metadata 2.3.1).
  const attributeValues = (name: string): string[] =>
    withAncestors(role)
      .map((element) => attribute(element, name))
      .filter((text) => text !== undefined)
  const validUntilTexts = attributeValues('validUntil')
  const validUntilTimes = validUntilTexts.map(readInstant).filter((time) => time !== undefined)
  const validUntil = validUntilTimes.length > 0 ? Math.min(...validUntilTimes) : undefined
  for (const text of validUntilTexts)
    if (readInstant(text) === undefined)
      problems.push({ id: 'expired', detail: `validUntil is not a valid timestamp: ${shown(text)}` })
  if (validUntil !== undefined && validUntil <= now)
    problems.push({ id: 'expired', detail: `The metadata expired at ${new Date(validUntil).toISOString()}` })
  const durations = attributeValues('cacheDuration')
    .map(readDuration)
    .filter((duration) => duration !== undefined)
  const common: Entity = {
    entityId: id,
    validUntil,
    cacheDuration: durations.length > 0 ? Math.min(...durations) : undefined,
    nameIdFormats: childrenNamed(role, NS.metadata, 'NameIDFormat').map((format) => trimmedTextOf(format) ?? ''),
    signingCertificates: certificatesOf(role, 'signing', problems),
    encryptionCertificates: certificatesOf(role, 'encryption', problems),
    sloServices: servicesOf(role, 'SingleLogoutService', problems),
  }
  const metadata = { ...common, ...readRole(role, common, problems), warnings: problems }
  return problems.every(isWarning) ? { metadata } : { problems }
}

/** Returns an element and the elements that contain it. */
function withAncestors(element: Element): Element[] {
  const parent = element.parentNode
  return parent?.nodeType === element.ELEMENT_NODE ? [element, ...withAncestors(parent as Element)] : [element]
}

/** Returns whether the problem affects only an ignored part. */
const isWarning = ({ id }: MetadataProblem): boolean => id === 'certificate' || id === 'location'

/** Returns the services of supported bindings. Ignores a service with a URL that is not http or https, and reports it. */
export function servicesOf(role: Element, name: string, problems: MetadataProblem[]): Service[] {
  return childrenNamed(role, NS.metadata, name).flatMap((element) => {
    const binding = bindingOf(element)
    const location = attribute(element, 'Location') ?? ''
    const responseLocation = attribute(element, 'ResponseLocation')
    if (!binding || !areHttpUrls([location, ...(responseLocation === undefined ? [] : [responseLocation])], problems))
      return []
    return [{ binding, location, responseLocation }]
  })
}

/** Returns the supported binding of an endpoint; undefined for any other binding. */
export const bindingOf = (element: Element): Service['binding'] | undefined =>
  (['redirect', 'post'] as const).find((name) => BINDINGS[name] === attribute(element, 'Binding'))

/** Returns whether all URLs are http or https. Adds the first other one to `problems`. */
export function areHttpUrls(locations: readonly string[], problems: MetadataProblem[]): boolean {
  const wrong = locations.find((location) => !/^https?:\/\//i.test(location) || !URL.canParse(location))
  if (wrong !== undefined)
    problems.push({ id: 'location', detail: `Location is not an http or https URL: ${shown(wrong)}` })
  return wrong === undefined
}

/** Returns the first role with this element name that supports SAML 2.0. */
const roleOf = (entity: Element, name: RoleName): Element | undefined =>
  childrenNamed(entity, NS.metadata, name).find((role) =>
    (attribute(role, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(NS.protocol),
  )

/** Returns the certificates for a use; a key without a use serves both (Metadata 2.4.1.1). */
function certificatesOf(role: Element, use: 'signing' | 'encryption', problems: MetadataProblem[]): Certificate[] {
  const found = new Map<string, Certificate>()
  for (const descriptor of childrenNamed(role, NS.metadata, 'KeyDescriptor')) {
    if ((attribute(descriptor, 'use') ?? use) !== use) continue
    const info = childNamed(descriptor, NS.dsig, 'KeyInfo')
    for (const data of info ? childrenNamed(info, NS.dsig, 'X509Data') : []) {
      // Uses only the first certificate; by convention the others are its chain.
      const element = childNamed(data, NS.dsig, 'X509Certificate')
      const certificate = element && readCertificate(textOf(element))
      if (!certificate) continue
      if ('violation' in certificate)
        problems.push({ id: 'certificate', detail: `Invalid ${use} certificate: ${certificate.violation}` })
      else found.set(certificate.fingerprint, certificate)
    }
  }
  return [...found.values()]
}

const rejectedFor = (id: MetadataProblem['id'], detail: string): { problems: MetadataProblem[] } => ({
  problems: [{ id, detail }],
})
