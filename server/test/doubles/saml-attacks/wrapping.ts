import { assertionOf, encryptXml, VICTIM } from '../../peers/saml-peer.js'
import {
  afterIssuer,
  both,
  evilAssertion,
  forged,
  type Hostile,
  inObject,
  nameId,
  renamed,
  replaced,
  right,
  rightResponse,
  signatureOf,
  unsigned,
} from './attack.js'

/** Forged elements with correctly signed ones next to, around or inside them (signature wrapping, "XSW"). */
export const WRAPPED: Hostile[] = [
  [
    'XSW1: a forged response around the signature of the valid one',
    'signature',
    () => {
      const xml = rightResponse()
      return afterIssuer(renamed(forged(unsigned(xml))), inObject(xml, unsigned(xml)))
    },
  ],
  [
    'XSW2: the valid response next to its detached signature',
    'assertion',
    () => {
      const xml = rightResponse()
      return afterIssuer(renamed(forged(unsigned(xml))), unsigned(xml) + signatureOf(xml))
    },
  ],
  [
    'XSW3: a forged assertion before the valid one',
    'assertion',
    () => {
      const xml = right()
      return replaced(xml, assertionOf(xml), evilAssertion(xml) + assertionOf(xml))
    },
  ],
  [
    'XSW3 with both signed',
    'assertion',
    () => {
      const xml = both()
      return replaced(xml, assertionOf(xml), evilAssertion(xml) + assertionOf(xml))
    },
  ],
  [
    'a forged assertion after the valid one',
    'assertion',
    () => {
      const xml = right()
      return replaced(xml, assertionOf(xml), assertionOf(xml) + evilAssertion(xml))
    },
  ],
  [
    'XSW4: a forged assertion around the valid one',
    'assertion',
    () => {
      const xml = right()
      return replaced(
        xml,
        assertionOf(xml),
        replaced(evilAssertion(xml), '</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`),
      )
    },
  ],
  [
    'XSW5: the signature in the forged assertion, the valid one after it',
    'assertion',
    () => {
      const xml = right()
      const evil = afterIssuer(evilAssertion(xml), signatureOf(xml))
      return replaced(xml, assertionOf(xml), evil + unsigned(assertionOf(xml)))
    },
  ],
  [
    'XSW6: the valid assertion in the signature of the forged one',
    'assertion',
    () => {
      const xml = right()
      const signature = replaced(signatureOf(xml), '</ds:Signature>', `${unsigned(assertionOf(xml))}</ds:Signature>`)
      return replaced(xml, assertionOf(xml), afterIssuer(evilAssertion(xml), signature))
    },
  ],
  [
    'XSW7: a forged assertion in Extensions',
    'assertion',
    () => {
      const xml = right()
      return replaced(xml, '<samlp:Status>', `<samlp:Extensions>${evilAssertion(xml)}</samlp:Extensions><samlp:Status>`)
    },
  ],
  [
    'XSW8: the valid assertion in an Object of the forged one',
    'assertion',
    () => {
      const xml = right()
      return replaced(xml, assertionOf(xml), afterIssuer(evilAssertion(xml), inObject(xml, unsigned(assertionOf(xml)))))
    },
  ],
  [
    'the forged assertion with the ID of the valid one',
    'signature',
    () => {
      const xml = right()
      return replaced(
        xml,
        '<samlp:Status>',
        `<samlp:Extensions><x ID="_assertion-1"/></samlp:Extensions><samlp:Status>`,
      )
    },
  ],
  [
    'an ID that another element has in an attribute with another name',
    'signature',
    () =>
      replaced(
        right(),
        '<samlp:Status>',
        '<samlp:Extensions><x AssertionID="_assertion-1"/></samlp:Extensions><samlp:Status>',
      ),
  ],
  [
    'an ID that another element has as xml:id',
    'signature',
    () =>
      replaced(
        right(),
        '<samlp:Status>',
        '<samlp:Extensions><x xml:id="_assertion-1"/></samlp:Extensions><samlp:Status>',
      ),
  ],
  ['an ID attribute in another case', 'signature', () => replaced(right(), 'ID="_assertion-1"', 'Id="_assertion-1"')],
  [
    'two assertions, both correctly signed',
    'assertion',
    () => {
      const other = assertionOf(right({ assertionId: '_assertion-2', ...nameId(VICTIM) }, { uri: '#_assertion-2' }))
      return replaced(right(), '</samlp:Response>', `${other}</samlp:Response>`)
    },
  ],
  [
    'an assertion that is not a child of the response',
    'assertion',
    () => {
      const xml = right()
      return replaced(xml, assertionOf(xml), `<x>${assertionOf(xml)}</x>`)
    },
  ],
  [
    'an encrypted assertion next to a plain one',
    'assertion',
    () => {
      const xml = right()
      const sealed = /<saml:EncryptedAssertion[\s\S]*<\/saml:EncryptedAssertion>/.exec(
        encryptXml(forged(unsigned(xml))),
      )?.[0]
      return replaced(xml, '</samlp:Response>', `${sealed}</samlp:Response>`)
    },
  ],
]
