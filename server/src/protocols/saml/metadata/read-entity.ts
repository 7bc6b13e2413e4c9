import type { Element } from '@xmldom/xmldom'
import { shown } from '../checks.js'
import { type Certificate, readCertificate } from '../crypto/certificates.js'
import { readDuration, readInstant } from '../xml/instants.js'
import { BINDINGS, NS } from '../xml/names.js'
import { readXml } from '../xml/read-xml.js'
import { attribute, childNamed, childrenNamed, elementsIn, isNamed, textOf, trimmedTextOf } from '../xml/xml-tree.js'

/** Why metadata is rejected, or which part of it is ignored. `id` is stable. */
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

/** The metadata with the problems of its ignored parts, or why it is rejected. */
type ParsedMetadata<Metadata> =
  | { metadata: Metadata & { warnings: MetadataProblem[] } }
  | { problems: MetadataProblem[] }

export interface MetadataOptions {
  /** Milliseconds. */
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

/** The common part of both roles. */
interface Entity {
  entityId: string
  validUntil: number | undefined
  /** Milliseconds after which the document should be read again, if stated. */
  cacheDuration: number | undefined
  nameIdFormats: string[]
  signingCertificates: Certificate[]
  encryptionCertificates: Certificate[]
  sloServices: Service[]
}

type RoleName = 'IDPSSODescriptor' | 'SPSSODescriptor'

/**
 * Finds an entity in metadata (Metadata 2.3) and parses a role of it. A signature of the document is not verified: the administrator who
 * provides the document or its URL is trusted. Reports every problem, and never throws because of the document.
 * @param readRole reads what only this role has, and adds its problems to the list
 */
export function parseEntity<Role>(
  text: string,
  roleName: RoleName,
  { now, entityId }: MetadataOptions,
  readRole: (role: Element, entity: Entity, problems: MetadataProblem[]) => Role,
): ParsedMetadata<Entity & Role> {
  // Pasted documents may begin with a byte order mark or a line break.
  const read = readXml(text.trim())
  if ('violation' in read) return one('unreadable', read.violation)
  if (!['EntityDescriptor', 'EntitiesDescriptor'].some((name) => isNamed(read.root, NS.metadata, name)))
    return one('unreadable', `it is not SAML 2.0 metadata: ${shown(read.root.tagName)}`)
  const candidates = elementsIn(read.root)
    .filter((element) => isNamed(element, NS.metadata, 'EntityDescriptor'))
    .map((entity) => ({ entity, role: roleOf(entity, roleName), id: attribute(entity, 'entityID') ?? '' }))
    .filter(({ id }) => entityId === undefined || id === entityId)
    .filter(({ role }) => role !== undefined)
  const [found, second] = candidates
  if (!found?.role)
    return one('no_entity', `it contains no ${roleName} for SAML 2.0${entityId ? ' with that entity ID' : ''}`)
  if (second) return one('several_entities', `it contains ${candidates.length} entities: name one by its entity ID`)

  const { entity, role, id } = found
  const problems: MetadataProblem[] = []
  if (id === '' || id.length > 1_024) problems.push({ id: 'entity_id', detail: 'the entity ID is empty or too long' })
  const stated = (name: string): string[] =>
    [read.root, entity, role].map((element) => attribute(element, name)).filter((text) => text !== undefined)
  const ends = stated('validUntil')
  const untils = ends.map(readInstant).filter((end) => end !== undefined)
  const validUntil = untils.length > 0 ? Math.min(...untils) : undefined
  if (untils.length < ends.length || (validUntil !== undefined && validUntil <= now))
    problems.push({ id: 'expired', detail: `it was valid until ${shown(ends.join(', '))}` })
  const durations = stated('cacheDuration')
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

/** Whether the rest of the document can still be used; any other problem prevents its use. */
const isWarning = ({ id }: MetadataProblem): boolean => id === 'certificate' || id === 'location'

/** Returns the services of supported bindings; those with a URL that is unsafe for a browser are ignored. */
export function servicesOf(role: Element, name: string, problems: MetadataProblem[]): Service[] {
  return childrenNamed(role, NS.metadata, name).flatMap((element) => {
    const binding = bindingOf(element)
    const location = attribute(element, 'Location') ?? ''
    const responseLocation = attribute(element, 'ResponseLocation')
    if (!binding || !hasWebAddress([location, ...(responseLocation === undefined ? [] : [responseLocation])], problems))
      return []
    return [{ binding, location, responseLocation }]
  })
}

export const bindingOf = (element: Element): Service['binding'] | undefined =>
  (['redirect', 'post'] as const).find((name) => BINDINGS[name] === attribute(element, 'Binding'))

export function hasWebAddress(locations: readonly string[], problems: MetadataProblem[]): boolean {
  const wrong = locations.find((location) => !/^https?:\/\//i.test(location) || !URL.canParse(location))
  if (wrong !== undefined) problems.push({ id: 'location', detail: `it is not an http or https URL: ${shown(wrong)}` })
  return wrong === undefined
}

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
      // Further certificates of one X509Data are those of the issuers.
      const element = childNamed(data, NS.dsig, 'X509Certificate')
      const certificate = element && readCertificate(textOf(element))
      if (!certificate) continue
      if ('violation' in certificate) problems.push({ id: 'certificate', detail: `${use}: ${certificate.violation}` })
      else found.set(certificate.fingerprint, certificate)
    }
  }
  return [...found.values()]
}

const one = (id: MetadataProblem['id'], detail: string): { problems: MetadataProblem[] } => ({
  problems: [{ id, detail }],
})
