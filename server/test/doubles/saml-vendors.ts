import { SignedXml } from 'xml-crypto'
import { ACS, at, IDP, idpKey, REQUEST, SP } from '../peers/saml-peer.js'

const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const XENC = 'http://www.w3.org/2001/04/xmlenc#'

/** The format of a vendor's responses: prefixes, signed elements and attributes. */
export interface Vendor {
  protocol: string
  assertion: string
  signed: ('Response' | 'Assertion')[]
  signaturePrefix?: string
  hash?: '256' | '512'
  typed?: boolean
  nameId: string
  format: string
  attributes: [name: string, friendlyName: string | undefined, values: string[]][]
}

/** Returns a response in the vendor's format, signed by xml-crypto as an independent implementation. */
export function vendorXml(vendor: Vendor): string {
  const p = vendor.protocol && `${vendor.protocol}:`
  const a = vendor.assertion && `${vendor.assertion}:`
  const xmlns = (prefix: string, name: string) =>
    ` xmlns${prefix && `:${prefix}`}="urn:oasis:names:tc:SAML:2.0:${name}"`
  const typed = vendor.typed
    ? ' xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string"'
    : ''
  const attributes = vendor.attributes
    .map(
      ([name, friendly, values]) =>
        `<${a}Attribute Name="${name}"${friendly ? ` FriendlyName="${friendly}"` : ''}>${values.map((value) => `<${a}AttributeValue${typed}>${value}</${a}AttributeValue>`).join('')}</${a}Attribute>`,
    )
    .join('\n')
  const assertion = `<${a}Assertion${xmlns(vendor.assertion, 'assertion')} ID="_assertion-1" IssueInstant="${at(0)}" Version="2.0"><${a}Issuer>${IDP}</${a}Issuer><${a}Subject><${a}NameID Format="${vendor.format}">${vendor.nameId}</${a}NameID><${a}SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><${a}SubjectConfirmationData InResponseTo="${REQUEST}" NotOnOrAfter="${at(300)}" Recipient="${ACS}"/></${a}SubjectConfirmation></${a}Subject>
    <${a}Conditions NotBefore="${at(-300)}" NotOnOrAfter="${at(300)}"><${a}AudienceRestriction><${a}Audience>${SP}</${a}Audience></${a}AudienceRestriction></${a}Conditions><${a}AuthnStatement AuthnInstant="${at(-5)}" SessionIndex="_session-1"><${a}AuthnContext><${a}AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</${a}AuthnContextClassRef></${a}AuthnContext></${a}AuthnStatement>
    <${a}AttributeStatement>${attributes}</${a}AttributeStatement></${a}Assertion>`
  const response = `<?xml version="1.0" encoding="UTF-8"?>\n<${p}Response${xmlns(vendor.protocol, 'protocol')} Destination="${ACS}" ID="_response-1" InResponseTo="${REQUEST}" IssueInstant="${at(0)}" Version="2.0"><${a}Issuer${xmlns(vendor.assertion, 'assertion')} Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity">${IDP}</${a}Issuer><${p}Status><${p}StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></${p}Status>${assertion}</${p}Response>`
  return (['Assertion', 'Response'] as const)
    .filter((name) => vendor.signed.includes(name))
    .reduce((xml, name) => signedByLibrary(xml, name, vendor), response)
}

function signedByLibrary(xml: string, name: string, { hash = '256', signaturePrefix = 'ds' }: Vendor): string {
  const signer = new SignedXml({
    privateKey: idpKey.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    publicCert: idpKey.certificate,
    signatureAlgorithm: `http://www.w3.org/2001/04/xmldsig-more#rsa-sha${hash}`,
    canonicalizationAlgorithm: C14N,
  })
  const xpath = `//*[local-name(.)='${name}']`
  signer.addReference({
    xpath,
    digestAlgorithm: `${XENC}sha${hash}`,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', C14N],
  })
  signer.computeSignature(xml, {
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
    ...(signaturePrefix && { prefix: signaturePrefix }),
  })
  return signer.getSignedXml()
}

const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const MAIL = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress'
export const VENDORS: [name: string, vendor: Vendor][] = [
  [
    'Entra: the assertion signed, in default namespaces',
    {
      protocol: 'samlp',
      assertion: '',
      signed: ['Assertion'],
      signaturePrefix: '',
      nameId: 'ada@example.com',
      format: EMAIL,
      attributes: [
        [MAIL, undefined, ['ada@example.com']],
        ['http://schemas.microsoft.com/ws/2008/06/identity/claims/groups', undefined, ['g1', 'g2']],
      ],
    },
  ],
  [
    'Okta: both signed, typed values',
    {
      protocol: 'saml2p',
      assertion: 'saml2',
      signed: ['Assertion', 'Response'],
      typed: true,
      nameId: 'ada@example.com',
      format: EMAIL,
      attributes: [
        ['firstName', undefined, ['Ada']],
        ['groups', undefined, ['Everyone']],
      ],
    },
  ],
  [
    'Google: the response signed',
    {
      protocol: 'saml2p',
      assertion: 'saml2',
      signed: ['Response'],
      nameId: 'ada@example.com',
      format: EMAIL,
      attributes: [['department', undefined, ['R&amp;D']]],
    },
  ],
  [
    'ADFS: SHA-512, default namespaces in everything',
    {
      protocol: '',
      assertion: '',
      signed: ['Assertion', 'Response'],
      signaturePrefix: '',
      hash: '512',
      nameId: 'EXAMPLE\\ada',
      format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
      attributes: [['http://schemas.xmlsoap.org/claims/Group', undefined, ['Domain Users']]],
    },
  ],
  [
    'Shibboleth: object identifiers with friendly names',
    {
      protocol: 'samlp',
      assertion: 'saml',
      signed: ['Response'],
      nameId: 'AAdzZWNyZXQx',
      format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      attributes: [
        ['urn:oid:0.9.2342.19200300.100.1.3', 'mail', ['ada@example.com']],
        ['urn:oid:2.5.4.4', 'sn', ['Lovelace 𝒜 ]]&gt; é']],
      ],
    },
  ],
]
