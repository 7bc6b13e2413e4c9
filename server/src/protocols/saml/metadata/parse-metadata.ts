import type { Element } from '@xmldom/xmldom'
import { NS } from '../xml/names.js'
import { attribute, childrenNamed, isFlag } from '../xml/xml-tree.js'
import {
  areHttpUrls,
  bindingOf,
  type MetadataOptions,
  type MetadataProblem,
  parseEntity,
  servicesOf,
} from './read-entity.js'

type Metadata<Parse extends (...given: never[]) => object> = Extract<
  ReturnType<Parse>,
  { metadata: object }
>['metadata']

/** Parses the metadata of an identity provider (Metadata 2.4.3) and reports every problem. Never throws. */
export const parseIdpMetadata = (text: string, options: MetadataOptions) =>
  parseEntity(text, 'IDPSSODescriptor', options, (role, { signingCertificates }, problems) => {
    const ssoServices = servicesOf(role, 'SingleSignOnService', problems)
    if (ssoServices.length === 0)
      problems.push({ id: 'no_service', detail: 'There is no sign-in URL for the redirect or POST binding' })
    if (signingCertificates.length === 0)
      problems.push({ id: 'no_certificate', detail: 'There is no signing certificate' })
    return { ssoServices, wantAuthnRequestsSigned: isFlag(role, 'WantAuthnRequestsSigned') }
  })

export type IdpMetadata = Metadata<typeof parseIdpMetadata>

/** Parses the metadata of a service provider (Metadata 2.4.4) and reports every problem. Never throws. */
export const parseSpMetadata = (text: string, options: MetadataOptions) =>
  parseEntity(text, 'SPSSODescriptor', options, (role, _entity, problems) => {
    const acsUrls = acsUrlsOf(role, problems)
    if (acsUrls.length === 0)
      problems.push({ id: 'no_service', detail: 'There is no assertion consumer service URL for the POST binding' })
    return {
      acsUrls,
      requestedAttributes: requestedAttributesOf(role),
      authnRequestsSigned: isFlag(role, 'AuthnRequestsSigned'),
      wantAssertionsSigned: isFlag(role, 'WantAssertionsSigned'),
      encryptionMethods: encryptionMethodsOf(role),
    }
  })

export type SpMetadata = Metadata<typeof parseSpMetadata>

/** Returns the URLs for responses over the POST binding: the default first, then by index. */
function acsUrlsOf(role: Element, problems: MetadataProblem[]): string[] {
  const services = childrenNamed(role, NS.metadata, 'AssertionConsumerService')
    .filter((element) => bindingOf(element) === 'post')
    .filter((element) => areHttpUrls([attribute(element, 'Location') ?? ''], problems))
    .map((element) => ({
      location: attribute(element, 'Location') ?? '',
      rank: isFlag(element, 'isDefault') ? -1 : Number.parseInt(attribute(element, 'index') ?? '', 10) || 0,
    }))
    .sort((a, b) => a.rank - b.rank)
  return [...new Set(services.map(({ location }) => location))]
}

/** Returns the supported algorithms of XML Encryption (Metadata 2.4.1.1); empty if the metadata names none and Keyward chooses. */
const encryptionMethodsOf = (role: Element): string[] =>
  childrenNamed(role, NS.metadata, 'KeyDescriptor')
    .filter((key) => attribute(key, 'use') !== 'signing')
    .flatMap((key) => childrenNamed(key, NS.metadata, 'EncryptionMethod'))
    .map((method) => attribute(method, 'Algorithm') ?? '')

const requestedAttributesOf = (role: Element) =>
  childrenNamed(role, NS.metadata, 'AttributeConsumingService')
    .flatMap((service) => childrenNamed(service, NS.metadata, 'RequestedAttribute'))
    .map((element) => ({
      name: attribute(element, 'Name') ?? '',
      friendlyName: attribute(element, 'FriendlyName'),
      isRequired: isFlag(element, 'isRequired'),
    }))
    .filter(({ name }) => name !== '')
