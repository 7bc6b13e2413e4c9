import type { Element } from '@xmldom/xmldom'
import { type Certificate, readCertificate } from './certificates.js'
import { shown } from './checks.js'
import { readDuration, readInstant } from './instants.js'
import { BINDINGS, NS } from './names.js'
import { readXml } from './read-xml.js'
import { attribute, childNamed, childrenNamed, elementsIn, isNamed, textOf, trimmedTextOf } from './xml-tree.js'

/** Why metadata cannot be taken, or what of it was passed over. `id` is stable. */
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

export type ParsedMetadata<Metadata> = { metadata: Metadata } | { problems: MetadataProblem[] }

export interface MetadataQuestion {
  /** Milliseconds. */
  now: number
  /** Which entity is meant, where a document has several. */
  entityId?: string | undefined
}

export interface Service {
  binding: 'redirect' | 'post'
  location: string
  /** Where answers go, if elsewhere. */
  responseLocation: string | undefined
}

/** What both roles have. */
export interface Entity {
  entityId: string
  validUntil: number | undefined
  /** Milliseconds after which it is worth reading again, as far as it says. */
  cacheDuration: number | undefined
  nameIdFormats: string[]
  signingCertificates: Certificate[]
  encryptionCertificates: Certificate[]
  sloServices: Service[]
}

/** The role of the one entity that is meant, with what both roles have; problems in what could not be read are added to the list. */
export interface FoundRole extends Entity {
  role: Element
  problems: MetadataProblem[]
}

type RoleName = 'IDPSSODescriptor' | 'SPSSODescriptor'

/**
 * Finds an entity in metadata (Metadata 2.3). A signature on it is not judged: whoever gives it to us, or names the address where it
 * lies, vouches for it.
 */
export function readEntity(
  text: string,
  roleName: RoleName,
  { now, entityId }: MetadataQuestion,
): FoundRole | { problems: MetadataProblem[] } {
  // What people paste begins with a byte order mark, or with a line break.
  const read = readXml(text.trim())
  if ('fault' in read) return one('unreadable', read.fault)
  if (!['EntityDescriptor', 'EntitiesDescriptor'].some((name) => isNamed(read.root, NS.metadata, name)))
    return one('unreadable', `this is no metadata of SAML 2.0: ${shown(read.root.tagName)}`)
  const candidates = elementsIn(read.root)
    .filter((element) => isNamed(element, NS.metadata, 'EntityDescriptor'))
    .map((entity) => ({ entity, role: roleOf(entity, roleName), id: attribute(entity, 'entityID') ?? '' }))
    .filter(({ id }) => entityId === undefined || id === entityId)
    .filter(({ role }) => role !== undefined)
  const [found, second] = candidates
  if (!found?.role)
    return one('no_entity', `there is no ${roleName} for SAML 2.0${entityId ? ' of that entity id' : ''} in it`)
  if (second) return one('several_entities', `it has ${candidates.length} entities: say which by its entity id`)

  const { entity, role, id } = found
  const problems: MetadataProblem[] = []
  if (id === '' || id.length > 1_024) problems.push({ id: 'entity_id', detail: 'the entity id is empty or too long' })
  const said = (name: string): string[] =>
    [read.root, entity, role].map((element) => attribute(element, name)).filter((text) => text !== undefined)
  const ends = said('validUntil')
  const untils = ends.map(readInstant).filter((end) => end !== undefined)
  const validUntil = untils.length > 0 ? Math.min(...untils) : undefined
  if (untils.length < ends.length || (validUntil !== undefined && validUntil <= now))
    problems.push({ id: 'expired', detail: `it was valid until ${shown(ends.join(', '))}` })
  const durations = said('cacheDuration')
    .map(readDuration)
    .filter((duration) => duration !== undefined)
  return {
    role,
    problems,
    entityId: id,
    validUntil,
    cacheDuration: durations.length > 0 ? Math.min(...durations) : undefined,
    nameIdFormats: childrenNamed(role, NS.metadata, 'NameIDFormat').map((format) => trimmedTextOf(format) ?? ''),
    signingCertificates: certificatesOf(role, 'signing', problems),
    encryptionCertificates: certificatesOf(role, 'encryption', problems),
    sloServices: servicesOf(role, 'SingleLogoutService', problems),
  }
}

/** What was passed over although the rest can be used; any other problem forbids the use. */
export const isWarning = ({ id }: MetadataProblem): boolean => id === 'certificate' || id === 'location'

/** Services by bindings that we speak; those at addresses that a browser must not be sent to are passed over. */
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
  if (wrong !== undefined) problems.push({ id: 'location', detail: `this is no web address: ${shown(wrong)}` })
  return wrong === undefined
}

const roleOf = (entity: Element, name: RoleName): Element | undefined =>
  childrenNamed(entity, NS.metadata, name).find((role) =>
    (attribute(role, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(NS.protocol),
  )

/** A key without a use serves both (Metadata 2.4.1.1). */
function certificatesOf(role: Element, use: 'signing' | 'encryption', problems: MetadataProblem[]): Certificate[] {
  const found = new Map<string, Certificate>()
  for (const descriptor of childrenNamed(role, NS.metadata, 'KeyDescriptor')) {
    if ((attribute(descriptor, 'use') ?? use) !== use) continue
    const info = childNamed(descriptor, NS.dsig, 'KeyInfo')
    for (const data of info ? childrenNamed(info, NS.dsig, 'X509Data') : []) {
      // Others of one X509Data are of those who issued the first one.
      const element = childNamed(data, NS.dsig, 'X509Certificate')
      const certificate = element && readCertificate(textOf(element))
      if (!certificate) continue
      if ('fault' in certificate) problems.push({ id: 'certificate', detail: `${use}: ${certificate.fault}` })
      else found.set(certificate.fingerprint, certificate)
    }
  }
  return [...found.values()]
}

const one = (id: MetadataProblem['id'], detail: string): { problems: MetadataProblem[] } => ({
  problems: [{ id, detail }],
})
