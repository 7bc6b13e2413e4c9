import { attributesXml } from '../xml/escape-xml.js'
import { NS } from '../xml/names.js'
import { entityXml, formatsXml, keysXml, servicesXml } from './metadata-xml.js'

export interface IdpMetadataOptions {
  entityId: string
  /** PEM; two during a rollover, the current one first. */
  signingCertificates: readonly string[]
  ssoUrl: string
  sloUrl?: string | undefined
  nameIdFormats: readonly string[]
  wantAuthnRequestsSigned: boolean
}

/** Builds Keyward's metadata as an identity provider (Metadata 2.4.3). */
export function buildIdpMetadata(options: IdpMetadataOptions): string {
  const { entityId, ssoUrl, sloUrl, signingCertificates, nameIdFormats, wantAuthnRequestsSigned } = options
  const role = attributesXml({
    WantAuthnRequestsSigned: wantAuthnRequestsSigned,
    protocolSupportEnumeration: NS.protocol,
  })
  return entityXml(
    entityId,
    `<md:IDPSSODescriptor${role}>${keysXml('signing', signingCertificates)}${servicesXml('SingleLogoutService', sloUrl)}` +
      `${formatsXml(nameIdFormats)}${servicesXml('SingleSignOnService', ssoUrl)}</md:IDPSSODescriptor>`,
  )
}
