import type { Element } from '@xmldom/xmldom'
import { NS } from './names.js'
import {
  bindingOf,
  type Entity,
  hasWebAddress,
  isWarning,
  type MetadataProblem,
  type MetadataQuestion,
  type ParsedMetadata,
  readEntity,
} from './read-entity.js'
import { attribute, childrenNamed, isFlag } from './xml-tree.js'

/** What a service provider says of itself (Metadata 2.4.4). */
export interface SpMetadata extends Entity {
  /** Where answers go by the POST binding: the default first, then by index. */
  acsUrls: string[]
  requestedAttributes: { name: string; friendlyName: string | undefined; isRequired: boolean }[]
  authnRequestsSigned: boolean
  wantAssertionsSigned: boolean
  /** Algorithms of XML Encryption that it says it reads (Metadata 2.4.1.1); without any it leaves the choice to us. */
  encryptionMethods: string[]
  /** What of it was passed over. */
  warnings: MetadataProblem[]
}

/** Reads the metadata of an application; every problem is named. Never throws, whatever the text is. */
export function parseSpMetadata(text: string, question: MetadataQuestion): ParsedMetadata<SpMetadata> {
  const found = readEntity(text, 'SPSSODescriptor', question)
  if (!('role' in found)) return found
  const { role, problems, ...entity } = found
  const acsUrls = acsUrlsOf(role, problems)
  if (acsUrls.length === 0)
    problems.push({ id: 'no_service', detail: 'there is no address that takes answers by the POST binding' })
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
