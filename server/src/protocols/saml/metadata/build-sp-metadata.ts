import { attributesXml } from '../xml/escape-xml.js'
import { BINDINGS, NS } from '../xml/names.js'
import { entityXml, formatsXml, keysXml, servicesXml } from './metadata-xml.js'

export interface SpMetadataOptions {
  entityId: string
  /** PEM; two during a rollover, the current one first. */
  signingCertificates: readonly string[]
  acsUrl: string
  sloUrl?: string | undefined
  /** Certificates to which assertions may be encrypted. */
  encryptionCertificates: readonly string[]
  nameIdFormats: readonly string[]
  authnRequestsSigned: boolean
  wantAssertionsSigned: boolean
}

/** Builds Keyward's metadata as a service provider (Metadata 2.4.4). */
export function buildSpMetadata(options: SpMetadataOptions): string {
  const { entityId, acsUrl, sloUrl, signingCertificates, encryptionCertificates, nameIdFormats } = options
  const role = attributesXml({
    AuthnRequestsSigned: options.authnRequestsSigned,
    WantAssertionsSigned: options.wantAssertionsSigned,
    protocolSupportEnumeration: NS.protocol,
  })
  return entityXml(
    entityId,
    `<md:SPSSODescriptor${role}>${keysXml('signing', signingCertificates)}${keysXml('encryption', encryptionCertificates)}` +
      `${servicesXml('SingleLogoutService', sloUrl)}${formatsXml(nameIdFormats)}` +
      `<md:AssertionConsumerService${attributesXml({ Binding: BINDINGS.post, Location: acsUrl, index: 0, isDefault: true })}/></md:SPSSODescriptor>`,
  )
}
