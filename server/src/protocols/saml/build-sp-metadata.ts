import { attributesXml } from './escape-xml.js'
import { entityXml, formatsXml, keysXml, servicesXml } from './metadata-xml.js'
import { BINDINGS, NS } from './names.js'

export interface SpMetadataOptions {
  entityId: string
  /** PEM; two during a roll-over, the present one first. */
  signingCertificates: readonly string[]
  acsUrl: string
  sloUrl?: string | undefined
  /** To which assertions may be encrypted for us. */
  encryptionCertificates: readonly string[]
  nameIdFormats: readonly string[]
  authnRequestsSigned: boolean
  wantAssertionsSigned: boolean
}

/** Describes us as a service provider (Metadata 2.4.4). */
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
