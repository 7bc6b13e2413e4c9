import { SAML, type SamlConfig } from '@node-saml/node-saml'
import { describe, expect, it } from 'vitest'
import { ACS, attackerKey, expectations, IDP, idpKey, REQUEST, SP, spKey } from '../../../../test/peers/saml-peer.js'
import {
  AUTHN_CONTEXTS,
  buildErrorResponse,
  buildResponse,
  NAME_ID_FORMATS,
  type ResponseOptions,
  STATUS_CODES,
  verifyResponse,
} from '../index.js'

// The other implementation uses the system clock.
const now = Date.now()
const options = (changes: Partial<ResponseOptions> = {}): ResponseOptions => ({
  issuer: IDP,
  acsUrl: ACS,
  inResponseTo: REQUEST,
  now,
  audience: SP,
  nameId: { value: 'ada@example.com', format: NAME_ID_FORMATS.email },
  attributes: [],
  authnInstant: now - 60_000,
  authnContext: AUTHN_CONTEXTS.password,
  sessionIndex: '_session-1',
  ...changes,
})
const peer = (changes: Partial<SamlConfig> = {}): SAML =>
  new SAML({
    entryPoint: 'https://idp.example/sso',
    issuer: SP,
    callbackUrl: ACS,
    audience: SP,
    idpCert: idpKey.certificate,
    idpIssuer: IDP,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    decryptionPvk: spKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ...changes,
  })
const field = (xml: string): string => Buffer.from(xml).toString('base64')

/** Names, and values that try to break out of a string. */
const VALUES = [
  `Ada "the <b>Countess</b>" & 'Co' ]]> é 𝒜😀`,
  ']]>',
  '<!-- x -->',
  '&amp;&#x41;',
  'tab\tnew\nline\rreturn\r\nboth',
  '\u0085\u2028\u2029\u00a0',
  ' around ',
  '',
]

describe('buildResponse', () => {
  it.each([undefined, spKey.certificate])(
    'creates a response that node-saml and Keyward accept (encrypted: %#)',
    async (encryptTo) => {
      const attributes = [
        { name: 'urn:oid:2.5.4.42', friendlyName: 'givenName', values: ['Ada'] },
        { name: 'groups', values: ['staff', 'R&D'] },
        { name: 'none', values: [] },
      ]
      const sessionNotOnOrAfter = now + 3_600_000
      const { xml, assertionId, responseId } = await buildResponse(
        options({ encryptTo, attributes, sessionNotOnOrAfter }),
        idpKey,
      )
      expect(xml.includes('ada@example.com')).toBe(encryptTo === undefined)
      const { profile } = await peer().validatePostResponseAsync({ SAMLResponse: field(xml) })
      expect(profile).toMatchObject({
        issuer: IDP,
        nameID: 'ada@example.com',
        nameIDFormat: NAME_ID_FORMATS.email,
        sessionIndex: '_session-1',
        'urn:oid:2.5.4.42': 'Ada',
        groups: ['staff', 'R&D'],
      })
      const verdict = verifyResponse({ xml }, expectations({ now, require: 'both' }))
      expect(verdict).toMatchObject({
        accepted: true,
        subject: {
          assertionId,
          authnInstant: now - 60_000,
          authnContext: AUTHN_CONTEXTS.password,
        },
      })
      expect(verdict.checks).toContainEqual(expect.objectContaining({ id: 'session_not_on_or_after', status: 'ok' }))
      expect(verdict.accepted && verdict.subject.attributes).toEqual({
        'urn:oid:2.5.4.42': ['Ada'],
        givenName: ['Ada'],
        groups: ['staff', 'R&D'],
      })
      expect(responseId).not.toBe(assertionId)
    },
  )

  it.each(VALUES.map((value) => [JSON.stringify(value), value]))('preserves %s', async (_, value) => {
    const nameId = { value: `x${value.trim()}x`, format: NAME_ID_FORMATS.unspecified }
    const { xml } = await buildResponse(options({ nameId, attributes: [{ name: 'a"<&>', values: [value] }] }), idpKey)
    const verdict = verifyResponse({ xml }, expectations({ now, require: 'both' }))
    expect(verdict.accepted && [verdict.subject.nameId, verdict.subject.attributes]).toEqual([
      nameId.value,
      { 'a"<&>': [value] },
    ])
    // The peer's parser treats two characters of XML 1.1 as line ends.
    if (value.includes('\u0085')) return
    const { profile } = await peer().validatePostResponseAsync({ SAMLResponse: field(xml) })
    expect(profile?.nameID).toBe(nameId.value)
  })

  it('removes characters that XML cannot represent from values, and rejects them in a NameID', async () => {
    const attributes = [{ name: 'x', values: ['a\0b\u0001c\ud800d\uffffe\ufffd'] }]
    const { xml } = await buildResponse(options({ attributes }), idpKey)
    const verdict = verifyResponse({ xml }, expectations({ now }))
    expect(verdict.accepted && verdict.subject.attributes).toEqual({ x: ['abcde\ufffd'] })
    for (const value of ['ada\0', 'ada\ud800', 'ada\uffff', '', ' '])
      await expect(
        buildResponse(options({ nameId: { value, format: NAME_ID_FORMATS.email } }), idpKey),
      ).rejects.toThrow(RangeError)
  })

  it('qualifies persistent and transient NameIDs', async () => {
    for (const format of [NAME_ID_FORMATS.persistent, NAME_ID_FORMATS.transient]) {
      const { xml } = await buildResponse(options({ nameId: { value: 'x1', format } }), idpKey)
      expect(verifyResponse({ xml }, expectations({ now }))).toMatchObject({
        subject: { nameId: 'x1', nameIdFormat: format, nameQualifier: IDP, spNameQualifier: SP },
      })
    }
  })

  it('restricts the assertion to one service provider, one request and a short time', async () => {
    const { xml } = await buildResponse(options(), idpKey)
    const failed = (changes: Parameters<typeof expectations>[0]) =>
      verifyResponse({ xml }, expectations({ now, ...changes }))
        .checks.filter(({ status }) => status === 'failed')
        .map(({ id }) => id)
    expect(failed({})).toEqual([])
    expect(failed({ spEntityId: 'https://other.example' })).toEqual(['audience'])
    expect(failed({ acsUrl: 'https://other.example' })).toEqual(['destination', 'recipient'])
    expect(failed({ inResponseTo: ['_other'] })).toEqual(['in_response_to'])
    expect(failed({ now: now + 420_000 })).toEqual(['not_on_or_after'])
    expect(failed({ certificates: [attackerKey.certificate] })).toEqual(['signature'])
  })

  it('creates a signed error response that another implementation understands', async () => {
    const { xml } = await buildErrorResponse(
      {
        issuer: IDP,
        acsUrl: ACS,
        inResponseTo: REQUEST,
        now,
        status: STATUS_CODES.responder,
        reason: STATUS_CODES.noPassive,
        message: 'No user is <signed> in',
      },
      idpKey,
    )
    const verdict = verifyResponse({ xml }, expectations({ now }))
    const said = Object.fromEntries(verdict.checks.map(({ id, status, found }) => [id, [status, found]]))
    expect(verdict.accepted).toBe(false)
    expect(said.status).toEqual([
      'failed',
      `${STATUS_CODES.responder} ${STATUS_CODES.noPassive} No user is <signed> in`,
    ])
    expect([said.signature?.[0], said.issuer?.[0], said.assertion?.[0]]).toEqual(['ok', 'ok', 'skipped'])
    // After a passive request this is not an error, but a response without a user.
    await expect(peer().validatePostResponseAsync({ SAMLResponse: field(xml) })).resolves.toMatchObject({
      profile: null,
    })
  })
})
