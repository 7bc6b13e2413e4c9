import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONG } from '../../../../test/harness/some-of.js'
import {
  assertionOf,
  encryptXml,
  expectations,
  responseXml,
  signXml,
  USER,
  VICTIM,
} from '../../../../test/peers/saml-peer.js'
import { parseIdpMetadata, readCertificate, verifyAuthnRequest, verifyResponse } from '../index.js'

const RUNS = LONG ? 100_000 : 2_000

const RIGHT = [
  signXml(responseXml(), 'Assertion'),
  signXml(responseXml(), 'Response'),
  signXml(signXml(responseXml(), 'Assertion'), 'Response'),
  encryptXml(signXml(responseXml(), 'Assertion')),
]
const EVIL = responseXml().replaceAll(USER, VICTIM)
/** Fragments that an attacker may insert. */
const PIECES = [
  assertionOf(EVIL),
  assertionOf(EVIL).replace('_assertion-1', '_evil'),
  `<saml:NameID>${VICTIM}</saml:NameID>`,
  `<saml:Subject><saml:NameID>${VICTIM}</saml:NameID></saml:Subject>`,
  '<!-- x -->',
  '<![CDATA[x]]>',
  '<x ID="_assertion-1"/>',
  ' ID="_assertion-1"',
  ' xmlns="urn:x"',
  ' xmlns:saml="urn:oasis:names:tc:SAML:2.0:protocol"',
  VICTIM,
  '&#x0;',
  ']]>',
  '<',
  '"',
]

const pieceOf = (xml: string) => [
  ...PIECES,
  ...(xml.match(/<ds:Signature[\s\S]*?<\/ds:Signature>|<saml:Subject[\s\S]*?<\/saml:Subject>/g) ?? []),
]
/** The positions where a tag begins or ends. */
const seamsOf = (xml: string): number[] => [0, ...[...xml.matchAll(/(?=<)|(?<=>)/g)].map(({ index }) => index)]
const at = <T>(list: readonly T[], n: number): T => {
  const item = list[n % list.length]
  if (item === undefined) throw new Error('Nothing to choose from')
  return item
}

type Change = (xml: string, a: number, b: number) => string
const CHANGES: Change[] = [
  // Replaces a character.
  (xml, a, b) => xml.slice(0, a % xml.length) + String.fromCharCode(32 + (b % 95)) + xml.slice((a % xml.length) + 1),
  // Removes, repeats or moves a part.
  (xml, a, b) => xml.slice(0, at(seamsOf(xml), Math.min(a, b))) + xml.slice(at(seamsOf(xml), Math.max(a, b))),
  (xml, a, b) => {
    const [from, to] = [at(seamsOf(xml), a), at(seamsOf(xml), b)].sort((x, y) => x - y)
    return xml.slice(0, to) + xml.slice(from, to) + xml.slice(to)
  },
  // Inserts a fragment, between tags or anywhere.
  (xml, a, b) => {
    const place = at(seamsOf(xml), a)
    return xml.slice(0, place) + at(pieceOf(xml), b) + xml.slice(place)
  },
  (xml, a, b) => xml.slice(0, a % xml.length) + at(pieceOf(xml), b) + xml.slice(a % xml.length),
  // Replaces one name by another, once or everywhere.
  (xml, a) => {
    const places = [...xml.matchAll(/user/g)].map(({ index }) => index)
    const place = places.length > 0 ? at(places, a) : 0
    return `${xml.slice(0, place)}admin${xml.slice(place + 4)}`
  },
]

describe('the response verifier with an altered response', () => {
  it('rejects the response or returns what was signed, and never throws', () => {
    const known = RIGHT.map((xml) => verifyResponse({ xml }, expectations()))
    let accepted = 0
    fc.assert(
      fc.property(
        fc.nat({ max: RIGHT.length - 1 }),
        fc.array(fc.tuple(fc.nat({ max: CHANGES.length - 1 }), fc.nat({ max: 20_000 }), fc.nat({ max: 20_000 })), {
          minLength: 1,
          maxLength: 4,
        }),
        (which, changes) => {
          const xml = changes.reduce((text, [change, a, b]) => at(CHANGES, change)(text, a, b), at(RIGHT, which))
          const verdict = verifyResponse({ field: Buffer.from(xml).toString('base64') }, expectations())
          if (!verdict.accepted)
            return !('subject' in verdict) && verdict.checks.some(({ status }) => status === 'failed')
          accepted += 1
          const right = at(known, which)
          expect(verdict.subject).toEqual(right.accepted && right.subject)
          return true
        },
      ),
      { numRuns: RUNS },
    )
    // Some changes have no effect (a comment, white space in an unsigned part); the property must cover them.
    expect(accepted).toBeGreaterThan(0)
  })

  it('rejects a response with changed bytes', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: RIGHT.length - 1 }),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 }),
        (which, bytes) => {
          const altered = Buffer.from(at(RIGHT, which))
          for (const [place, byte] of bytes) altered[place % altered.length] = byte
          const verdict = verifyResponse({ field: altered.toString('base64') }, expectations())
          return !verdict.accepted || verdict.subject.nameId === USER
        },
      ),
      { numRuns: RUNS },
    )
  })
})

describe('a random string', () => {
  it('makes no reader throw', () => {
    const service = { entityId: 'x', acsUrls: ['https://x'], certificates: [] }
    const expected = { now: 0, serviceProvider: service, ssoUrls: [] }
    const markup = fc
      .array(
        fc.constantFrom(
          '<',
          '>',
          '/',
          '!',
          '--',
          '?',
          '"',
          "'",
          '=',
          '&',
          ';',
          '[CDATA[',
          ']]>',
          'a',
          ':',
          ' ',
          'xmlns',
          '\0',
          '\ud800',
          '%',
          'SAMLRequest=',
        ),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), markup), (text) => {
        const field = Buffer.from(text).toString('base64')
        return (
          !verifyResponse({ field }, expectations()).accepted &&
          !verifyResponse({ field: text }, expectations()).accepted &&
          !verifyResponse({ xml: text }, expectations()).accepted &&
          !verifyAuthnRequest({ binding: 'post', field }, expected).accepted &&
          !verifyAuthnRequest({ binding: 'redirect', query: text }, expected).accepted &&
          !verifyAuthnRequest({ binding: 'redirect', query: `SAMLRequest=${text}` }, expected).accepted &&
          'problems' in parseIdpMetadata(text, { now: 0 }) &&
          'violation' in readCertificate(text)
        )
      }),
      { numRuns: RUNS },
    )
  })
})
