import { attackerKey, idpKey, responseXml, SHA1, TRANSFORMS, USER, VICTIM } from '../../peers/saml-peer.js'
import {
  both,
  DSIG,
  forged,
  type Hostile,
  nameId,
  replaced,
  right,
  rightResponse,
  signatureOf,
  unsigned,
} from './attack.js'

/** No signature, an invalid one, or one with a forbidden algorithm or structure. */
export const SIGNATURES: Hostile[] = [
  ['no signature at all', 'signature', () => forged(responseXml())],
  ['the signature removed', 'signature', () => unsigned(right())],
  ['the assertion changed after it was signed', 'signature', () => forged(right())],
  ['the response changed after it was signed', 'signature', () => forged(rightResponse())],
  ['a signed assertion only, if the response must be signed too', 'signature', () => right(), { require: 'both' }],
  [
    'a signed response only, if the assertion must be signed',
    'signature',
    () => rightResponse(),
    { require: 'assertion' },
  ],
  [
    'a valid assertion in a response with an invalid signature',
    'signature',
    () => replaced(both(), 'IssueInstant="', 'Consent="x" IssueInstant="'),
  ],
  ['the signature of another element', 'signature', () => right({}, { uri: '#_response-1' })],
  ['a signature of the whole document (URI="")', 'signature', () => rightResponse({}, { uri: '' })],
  ['a signature by XPointer', 'signature', () => right({}, { uri: `#xpointer(id('_assertion-1'))` })],
  ['a foreign key, with its certificate in KeyInfo', 'signature', () => forged(right({}, { key: attackerKey }))],
  [
    'HMAC with the public certificate as its secret',
    'signature',
    () =>
      right(nameId(VICTIM), {
        algorithm: 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256',
        hmacKey: idpKey.certificate,
      }),
  ],
  [
    'HMAC with SHA-1',
    'signature',
    () => right(nameId(VICTIM), { algorithm: `${DSIG}hmac-sha1`, hmacKey: idpKey.certificate }),
  ],
  ['RSA-SHA1', 'signature', () => right({}, SHA1)],
  ['a SHA-1 digest under RSA-SHA256', 'signature', () => right({}, { digest: SHA1.digest })],
  [
    'an unknown algorithm',
    'signature',
    () => right({}, { signedInfo: (xml) => replaced(xml, '#rsa-sha256', '#rsa-none256') }),
  ],
  [
    'an algorithm named like an object member',
    'signature',
    () =>
      right(
        {},
        { signedInfo: (xml) => replaced(xml, 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'constructor') },
      ),
  ],
  [
    'an XSLT transform',
    'signature',
    () =>
      right({}, { transforms: `${TRANSFORMS}<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>` }),
  ],
  [
    'an XPath transform',
    'signature',
    () =>
      right(
        {},
        {
          transforms: `<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>self::x</ds:XPath></ds:Transform><ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>`,
        },
      ),
  ],
  [
    'three transforms',
    'signature',
    () => right({}, { transforms: `${TRANSFORMS}<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>` }),
  ],
  ['no transforms', 'signature', () => right({}, { transforms: '' })],
  [
    'inclusive canonicalization',
    'signature',
    () =>
      right(
        {},
        {
          canonicalization: '<ds:CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>',
        },
      ),
  ],
  [
    'two references',
    'signature',
    () =>
      right(
        {},
        {
          signedInfo: (xml) =>
            replaced(
              xml,
              '</ds:SignedInfo>',
              `${/<ds:Reference[\s\S]*<\/ds:Reference>/.exec(xml)?.[0]}</ds:SignedInfo>`,
            ),
        },
      ),
  ],
  [
    'two SignedInfo',
    'signature',
    () => {
      const xml = right()
      const info = /<ds:SignedInfo[\s\S]*<\/ds:SignedInfo>/.exec(xml)?.[0] ?? ''
      return replaced(forged(xml), info, info + info)
    },
  ],
  [
    'two signatures',
    'signature',
    () => {
      const xml = right()
      return replaced(xml, signatureOf(xml), signatureOf(xml) + signatureOf(xml))
    },
  ],
  [
    'an Object in the signature',
    'signature',
    () => right({}, { signature: (xml) => replaced(xml, '</ds:Signature>', '<ds:Object/></ds:Signature>') }),
  ],
  [
    'a signature at the end of the assertion',
    'signature',
    () => {
      const xml = right()
      return replaced(unsigned(xml), '</saml:Assertion>', `${signatureOf(xml)}</saml:Assertion>`)
    },
  ],
  [
    'a second signature at another place',
    'signature',
    () =>
      replaced(right(), '<samlp:Status>', `<samlp:Extensions>${signatureOf(right())}</samlp:Extensions><samlp:Status>`),
  ],
  [
    'a comment in the digest',
    'signature',
    () => replaced(forged(right()), '<ds:DigestValue>', '<ds:DigestValue><!-- x -->'),
  ],
  [
    'an element in the digest',
    'signature',
    () => right({}, { signedInfo: (xml) => replaced(xml, '</ds:DigestValue>', '<x/></ds:DigestValue>') }),
  ],
  [
    'a signature in another namespace',
    'signature',
    () => right({}, { signature: (xml) => replaced(xml, DSIG, 'http://attacker.example/') }),
  ],
  [
    'a truncated signature value',
    'signature',
    () => replaced(right(), /<ds:SignatureValue>.{8}/, '<ds:SignatureValue>'),
  ],
  [
    'xml:base added to the assertion',
    'signature',
    () => replaced(right(), '<saml:Assertion ', '<saml:Assertion xml:base="https://attacker.example/" '),
  ],
  [
    'a default attribute added to the NameID',
    'signature',
    () => replaced(right(), '<saml:NameID ', '<saml:NameID SPNameQualifier="x" '),
  ],
  ['CDATA with another name', 'signature', () => replaced(right(), `>${USER}<`, `><![CDATA[${VICTIM}]]><`)],
  ['no trusted certificate', 'signature', () => right(), { certificates: [] }],
  ['a malformed certificate', 'signature', () => right(), { certificates: ['junk'] }],
]
