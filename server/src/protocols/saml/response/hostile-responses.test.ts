import { SAML } from '@node-saml/node-saml'
import { describe, expect, it } from 'vitest'
import { both, right, rightResponse, XENC } from '../../../../test/doubles/saml-attacks/attack.js'
import { DOCUMENTS } from '../../../../test/doubles/saml-attacks/documents.js'
import { ENCRYPTED } from '../../../../test/doubles/saml-attacks/encryption.js'
import { SIGNATURES } from '../../../../test/doubles/saml-attacks/signatures.js'
import { STATEMENTS } from '../../../../test/doubles/saml-attacks/statements.js'
import { WRAPPED } from '../../../../test/doubles/saml-attacks/wrapping.js'
import {
  ACS,
  at,
  attackerKey,
  encryptXml,
  expectations,
  IDP,
  idpKey,
  NOW,
  newSigningKey,
  type Parts,
  REQUEST,
  SHA1,
  SP,
  spKey,
  USER,
  VICTIM,
} from '../../../../test/peers/saml-peer.js'
import { verifyResponse } from '../index.js'

const CORPUS = [...WRAPPED, ...SIGNATURES, ...DOCUMENTS, ...STATEMENTS, ...ENCRYPTED]

describe('the response verifier with a hostile response', () => {
  it.each(CORPUS)('rejects it and reports the reason: %s (%s)', (_, check, message, changes) => {
    const brought = message()
    const field = typeof brought === 'string' ? Buffer.from(brought).toString('base64') : brought.toString()
    const verdict = verifyResponse({ field }, expectations(changes))
    expect(verdict.accepted).toBe(false)
    expect(verdict).not.toHaveProperty('subject')
    const failed = verdict.checks.filter(({ status }) => status === 'failed').map(({ id }) => id)
    expect(failed).toContain(check)
  })

  it('accepts the valid responses that the corpus alters', () => {
    for (const xml of [
      right(),
      rightResponse(),
      both(),
      encryptXml(right()),
      encryptXml(right(), { content: `${XENC}aes256-cbc` }),
    ]) {
      const verdict = verifyResponse({ xml }, expectations())
      expect(verdict.checks.filter(({ status }) => status === 'failed')).toEqual([])
      expect(verdict.accepted && verdict.subject.nameId).toBe(USER)
    }
  })

  it('reports a foreign key in an otherwise valid response', () => {
    const key = newSigningKey('idp.example')
    const verdict = verifyResponse({ xml: right({}, { key }) }, expectations())
    expect(verdict.checks.filter(({ status }) => status === 'failed')).toEqual([
      expect.objectContaining({
        id: 'signature',
        detail: 'assertion: it is not signed with a trusted certificate',
      }),
    ])
  })

  it('reports every error of a response', () => {
    const xml = right({
      audience: '',
      recipient: 'https://other.example/acs',
      notBefore: at(600),
      issuer: 'https://other.example',
    })
    const verdict = verifyResponse({ xml }, expectations({ certificates: [attackerKey.certificate] }))
    const failed = verdict.checks.filter(({ status }) => status === 'failed')
    expect(failed.map(({ id }) => id)).toEqual(['signature', 'issuer', 'recipient', 'audience', 'not_before'])
    expect(failed.at(-1)).toMatchObject({ found: '+600 s', expected: 'at most +120 s' })
  })

  it.each([
    [600, 'not_before', 'it is not valid yet: its time is 10 minutes in the future'],
    [7_200, 'not_before', 'it is not valid yet: its time is 2 hours in the future'],
    [-130, 'not_on_or_after', 'it is no longer valid: its time is 2 minutes in the past'],
    [-172_800, 'not_on_or_after', 'it is no longer valid: its time is 2 days in the past'],
  ])('describes a difference of %i seconds', (seconds, check, words) => {
    const changes = seconds > 0 ? { notBefore: at(seconds) } : { end: at(seconds) }
    const { checks } = verifyResponse({ xml: right(changes) }, expectations())
    expect(checks.find(({ id }) => id === check)?.detail).toBe(words)
  })

  it('shows received values shortened and without invisible characters', () => {
    const verdict = verifyResponse({ xml: right({ issuer: `\u202e&#x9;<!-- -->${'x'.repeat(500)}` }) }, expectations())
    const { found = '' } = verdict.checks.find(({ id }) => id === 'issuer') ?? {}
    expect(found).toMatch(/^\\u\{202e\}.*…$/)
    expect(found).toHaveLength(200)
  })

  it('makes no other implementation accept the victim either', async () => {
    const accepted: string[] = []
    const corpus = [...WRAPPED, ...SIGNATURES]
    for (const [name, , message, changes = {}] of corpus) {
      const brought = message()
      const SAMLResponse = typeof brought === 'string' ? Buffer.from(brought).toString('base64') : brought.toString()
      const peer = new SAML({
        entryPoint: 'https://idp.example/sso',
        issuer: SP,
        callbackUrl: ACS,
        audience: SP,
        idpCert: changes.certificates?.[0] ?? idpKey.certificate,
        idpIssuer: IDP,
        wantAssertionsSigned: false,
        wantAuthnResponseSigned: false,
        // It uses the system clock.
        acceptedClockSkewMs: -1,
        decryptionPvk: spKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      })
      const answer = await peer.validatePostResponseAsync({ SAMLResponse }).catch(() => undefined)
      if (answer?.profile) accepted.push(`${name} (as ${answer.profile.nameID})`)
    }
    process.stdout.write(
      `node-saml accepts ${accepted.length} of ${corpus.length} wrapped or wrongly signed responses: ${accepted.join('; ')}\n`,
    )
    expect(accepted.filter((line) => line.includes(VICTIM))).toEqual([])
  })
})

describe('the response verifier at the limits of validity', () => {
  it.each([
    ['expired 119 seconds ago', { end: at(-119), notOnOrAfter: at(-119) }],
    ['starts in 119 seconds', { notBefore: at(119), issueInstant: at(119), authnInstant: at(119) }],
    ['starts in 120 seconds', { notBefore: at(120) }],
    ['has an expiry only in its confirmation', { notBefore: '', end: '' }],
  ] as [string, Partial<Parts>][])('accepts a response that %s', (_, changes) => {
    expect(verifyResponse({ xml: right(changes) }, expectations()).accepted).toBe(true)
  })

  it('accepts an unsolicited response only if none was requested', () => {
    const xml = right({ responseTo: '', confirmationTo: '' })
    expect(verifyResponse({ xml }, expectations({ inResponseTo: null })).accepted).toBe(true)
    expect(verifyResponse({ xml }, expectations({ inResponseTo: [REQUEST] })).accepted).toBe(false)
    expect(verifyResponse({ xml }, expectations({ inResponseTo: [] })).accepted).toBe(false)
  })

  it('accepts RSA-SHA1 if it is allowed for the provider', () => {
    expect(verifyResponse({ xml: right({}, SHA1) }, expectations({ allowSha1: true, now: NOW })).accepted).toBe(true)
  })
})
