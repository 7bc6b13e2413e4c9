import { DECRYPTION_METHODS, type EncryptionMethod } from '../crypto/decrypt-assertion.js'
import { keyInfoXml } from '../crypto/sign-element.js'
import { ACCEPTED_DIGESTS, ACCEPTED_SIGNATURES } from '../crypto/signature-algorithms.js'
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
  `<?xml version="1.0" encoding="UTF-8"?>\n<md:EntityDescriptor xmlns:md="${NS.metadata}"${attributesXml({ entityID: entityId })}>${ALGORITHMS_XML}${role}</md:EntityDescriptor>`

/**
 * The accepted signature and digest algorithms (Metadata Profile for Algorithm Support 2.3, 2.4). Peers that read it choose one of them
 * instead of SHA-1.
 */
const ALGORITHMS_XML = `<md:Extensions xmlns:alg="${NS.algorithms}">${[
  ...ACCEPTED_DIGESTS.map((uri) => `<alg:DigestMethod${attributesXml({ Algorithm: uri })}/>`),
  ...ACCEPTED_SIGNATURES.map(
    ({ uri, bits }) =>
      `<alg:SigningMethod${attributesXml({ Algorithm: uri, MinKeySize: bits.min, MaxKeySize: bits.max })}/>`,
  ),
].join('')}</md:Extensions>`

const keysXml = (use: 'signing' | 'encryption', certificates: readonly string[]): string => {
  const methods = use === 'encryption' ? DECRYPTION_METHODS.map(encryptionMethodXml).join('') : ''
  return certificates
    .map((pem) => `<md:KeyDescriptor use="${use}">${keyInfoXml(pem)}${methods}</md:KeyDescriptor>`)
    .join('')
}

/** Metadata 2.4.1.1; XML Encryption 1.1, 5.5.2. */
function encryptionMethodXml({ uri, digest, mask }: EncryptionMethod): string {
  const name = `md:EncryptionMethod${attributesXml({ Algorithm: uri })}`
  if (digest === undefined) return `<${name}/>`
  const digestXml = `<ds:DigestMethod xmlns:ds="${NS.dsig}" Algorithm="${digest}"/>`
  const maskXml = mask === undefined ? '' : `<xenc11:MGF xmlns:xenc11="${NS.xenc11}" Algorithm="${mask}"/>`
  return `<${name}>${digestXml}${maskXml}</md:EncryptionMethod>`
}

/** Returns one URL for both bindings. */
const servicesXml = (name: string, location: string | undefined): string =>
  location === undefined
    ? ''
    : [BINDINGS.redirect, BINDINGS.post]
        .map((binding) => `<md:${name}${attributesXml({ Binding: binding, Location: location })}/>`)
        .join('')

const formatsXml = (formats: readonly string[]): string =>
  formats.map((format) => `<md:NameIDFormat>${escapeXml(format)}</md:NameIDFormat>`).join('')
