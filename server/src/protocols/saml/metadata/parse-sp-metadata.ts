import type { Element } from '@xmldom/xmldom'
import { NS } from '../xml/names.js'
import { attribute, childrenNamed, isFlag } from '../xml/xml-tree.js'
import {
  bindingOf,
  type Entity,
  hasWebAddress,
  isWarning,
  type MetadataOptions,
  type MetadataProblem,
  type ParsedMetadata,
  readEntity,
} from './read-entity.js'

/** The metadata of a service provider (Metadata 2.4.4). */
export interface SpMetadata extends Entity {
  /** URLs for responses over the POST binding: the default first, then by index. */
  acsUrls: string[]
  requestedAttributes: { name: string; friendlyName: string | undefined; isRequired: boolean }[]
  authnRequestsSigned: boolean
  wantAssertionsSigned: boolean
  /** Supported algorithms of XML Encryption (Metadata 2.4.1.1); empty if the metadata names none and Keyward chooses. */
  encryptionMethods: string[]
  /** Ignored parts of the document. */
  warnings: MetadataProblem[]
}

/** Parses the metadata of a service provider and reports every problem. Never throws. */
export function parseSpMetadata(text: string, options: MetadataOptions): ParsedMetadata<SpMetadata> {
  const found = readEntity(text, 'SPSSODescriptor', options)
  if (!('role' in found)) return found
  const { role, problems, ...entity } = found
  const acsUrls = acsUrlsOf(role, problems)
  if (acsUrls.length === 0)
    problems.push({ id: 'no_service', detail: 'there is no assertion consumer service URL for the POST binding' })
  if (!problems.every(isWarning)) return { problems }
  return {
    metadata: {
      ...entity,
      acsUrls,
      requestedAttributes: requestedAttributesOf(role),
      authnRequestsSigned: isFlag(role, 'AuthnRequestsSigned'),
      wantAssertionsSigned: isFlag(role, 'WantAssertionsSigned'),
      encryptionMethods: encryptionMethodsOf(role),
      warnings: problems,
    },
  }
}

function acsUrlsOf(role: Element, problems: MetadataProblem[]): string[] {
  const services = childrenNamed(role, NS.metadata, 'AssertionConsumerService')
    .filter((element) => bindingOf(element) === 'post')
    .filter((element) => hasWebAddress([attribute(element, 'Location') ?? ''], problems))
    .map((element) => ({
      location: attribute(element, 'Location') ?? '',
      rank: isFlag(element, 'isDefault') ? -1 : Number.parseInt(attribute(element, 'index') ?? '', 10) || 0,
    }))
    .sort((a, b) => a.rank - b.rank)
  return [...new Set(services.map(({ location }) => location))]
}

const encryptionMethodsOf = (role: Element): string[] =>
  childrenNamed(role, NS.metadata, 'KeyDescriptor')
    .filter((key) => attribute(key, 'use') !== 'signing')
    .flatMap((key) => childrenNamed(key, NS.metadata, 'EncryptionMethod'))
    .map((method) => attribute(method, 'Algorithm') ?? '')

const requestedAttributesOf = (role: Element): SpMetadata['requestedAttributes'] =>
  childrenNamed(role, NS.metadata, 'AttributeConsumingService')
    .flatMap((service) => childrenNamed(service, NS.metadata, 'RequestedAttribute'))
    .map((element) => ({
      name: attribute(element, 'Name') ?? '',
      friendlyName: attribute(element, 'FriendlyName'),
      isRequired: isFlag(element, 'isRequired'),
    }))
    .filter(({ name }) => name !== '')
