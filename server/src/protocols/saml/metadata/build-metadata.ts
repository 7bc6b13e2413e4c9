import { keyInfoXml } from '../crypto/sign-element.js'
import { attributesXml, escapeXml } from '../xml/escape-xml.js'
import { BINDINGS, NS } from '../xml/names.js'

interface MetadataOptions {
  entityId: string
  /** PEM; two during a rollover, the current one first. */
  signingCertificates: readonly string[]
  sloUrl?: string | undefined
  nameIdFormats: readonly string[]
}

interface IdpMetadataOptions extends MetadataOptions {
  ssoUrl: string
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

interface SpMetadataOptions extends MetadataOptions {
  acsUrl: string
  /** Certificates to which assertions may be encrypted. */
  encryptionCertificates: readonly string[]
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

/** Returns the document of an entity with one role (Metadata 2.3.2). */
const entityXml = (entityId: string, role: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<md:EntityDescriptor xmlns:md="${NS.metadata}"${attributesXml({ entityID: entityId })}>${role}</md:EntityDescriptor>`

const keysXml = (use: 'signing' | 'encryption', certificates: readonly string[]): string =>
  certificates.map((pem) => `<md:KeyDescriptor use="${use}">${keyInfoXml(pem)}</md:KeyDescriptor>`).join('')

/** Returns one URL for both bindings. */
const servicesXml = (name: string, location: string | undefined): string =>
  location === undefined
    ? ''
    : [BINDINGS.redirect, BINDINGS.post]
        .map((binding) => `<md:${name}${attributesXml({ Binding: binding, Location: location })}/>`)
        .join('')

const formatsXml = (formats: readonly string[]): string =>
  formats.map((format) => `<md:NameIDFormat>${escapeXml(format)}</md:NameIDFormat>`).join('')
