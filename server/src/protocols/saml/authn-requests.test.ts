import { deflateRawSync } from 'node:zlib'
import { SAML, type SamlConfig } from '@node-saml/node-saml'
import { describe, expect, it } from 'vitest'
import { ACS, at, attackerKey, IDP, idpKey, NOW, newSigningKey, SP, spKey } from '../../../test/saml-peer.js'
import {
  type AuthnRequestExpectations,
  type BoundMessage,
  buildAuthnRequest,
  NAME_ID_FORMATS,
  newId,
  redirectUrl,
  STATUS_CODES,
  verifyAuthnRequest,
} from './index.js'

const SSO = 'https://idp.example/sso'
const OTHER_ACS = 'https://sp.example/acs2'

/** An application that signs, or one that does not. */
const expected = (
  certificates: string[],
  changes: Partial<AuthnRequestExpectations> = {},
): AuthnRequestExpectations => ({
  now: NOW,
  serviceProvider: { entityId: SP, acsUrls: [ACS, OTHER_ACS], certificates },
  ssoUrls: [SSO],
  ...changes,
})
const UNSIGNED = expected([])
const SIGNED = expected([spKey.certificate])

const ID = '_request-1'
const options = { id: ID, now: NOW, issuer: SP, destination: SSO, acsUrl: ACS }
const posted = (xml: string): BoundMessage => ({ binding: 'post', field: Buffer.from(xml).toString('base64') })
const queryOf = (url: string): string => url.slice(url.indexOf('?') + 1)
const redirected = async (xml: string, privateKey = spKey.privateKey, relayState = 'a b&c=é'): Promise<string> =>
  queryOf(await redirectUrl({ target: SSO, parameter: 'SAMLRequest', xml, relayState, privateKey }))
const failedIn = (verdict: ReturnType<typeof verifyAuthnRequest>): string[] =>
  verdict.checks.filter(({ status }) => status === 'failed').map(({ id }) => id)

describe('a request to sign somebody in', () => {
  it('of ours is accepted by both bindings, with all that it asks for', async () => {
    const asked = { ...options, nameIdFormat: NAME_ID_FORMATS.persistent, forceAuthn: true }
    const query = await redirected(await buildAuthnRequest(asked))
    const post = posted(await buildAuthnRequest(asked, spKey))
    const request = {
      id: ID,
      issuer: SP,
      acsUrl: ACS,
      forceAuthn: true,
      isPassive: false,
      nameIdFormat: NAME_ID_FORMATS.persistent,
      requestedAuthnContext: undefined,
      subject: undefined,
    }
    expect(verifyAuthnRequest({ binding: 'redirect', query }, SIGNED)).toMatchObject({
      accepted: true,
      request: { ...request, relayState: 'a b&c=é' },
    })
    expect(verifyAuthnRequest({ ...post, relayState: 'x' } as BoundMessage, SIGNED)).toMatchObject({
      accepted: true,
      request: { ...request, relayState: 'x' },
    })
  })

  it('without a signature is accepted only from an application without a certificate', async () => {
    const xml = await buildAuthnRequest(options)
    const query = queryOf(await redirectUrl({ target: SSO, parameter: 'SAMLRequest', xml }))
    for (const message of [posted(xml), { binding: 'redirect', query } as const]) {
      expect(verifyAuthnRequest(message, UNSIGNED).accepted).toBe(true)
      expect(failedIn(verifyAuthnRequest(message, SIGNED))).toEqual(['signature'])
    }
  })

  it('signed by another key, or changed, is refused', async () => {
    const foreign = await buildAuthnRequest(options, attackerKey)
    expect(failedIn(verifyAuthnRequest(posted(foreign), SIGNED))).toEqual(['signature'])
    const changed = (await buildAuthnRequest(options, spKey)).replace(ACS, OTHER_ACS)
    expect(failedIn(verifyAuthnRequest(posted(changed), SIGNED))).toEqual(['signature'])
    const query = await redirected(await buildAuthnRequest(options), attackerKey.privateKey)
    expect(failedIn(verifyAuthnRequest({ binding: 'redirect', query }, SIGNED))).toEqual(['signature'])
  })

  it.each([
    ['a RelayState put in', (query: string) => query.replace('RelayState=', 'RelayState=x'), 'signature'],
    ['the same RelayState spelled otherwise', (query: string) => query.replace('%20', '+'), 'signature'],
    ['the RelayState left out', (query: string) => query.replace(/&RelayState=[^&]*/, ''), 'signature'],
    ['the signature left out', (query: string) => query.replace(/&SigAlg=.*/, ''), 'signature'],
    ['an empty signature', (query: string) => query.replace(/&Signature=.*/, '&Signature='), 'signature'],
    [
      'RSA-SHA1',
      (query: string) =>
        query.replace(/SigAlg=[^&]*/, `SigAlg=${encodeURIComponent('http://www.w3.org/2000/09/xmldsig#rsa-sha1')}`),
      'signature',
    ],
    ['HMAC', (query: string) => query.replace('rsa-sha256', 'hmac-sha256'), 'signature'],
    ['the algorithm left out', (query: string) => query.replace(/&SigAlg=[^&]*/, ''), 'readable'],
    ['a second request before', (query: string) => `SAMLRequest=x&${query}`, 'readable'],
    ['a second request behind', (query: string) => `${query}&SAMLRequest=x`, 'readable'],
    ['a second RelayState', (query: string) => `${query}&RelayState=x`, 'readable'],
    ['a second signature', (query: string) => `${query}&Signature=x`, 'readable'],
    ['a response too', (query: string) => `${query}&SAMLResponse=x`, 'readable'],
    ['a parameter percent-encoded', (query: string) => query.replace('SAMLRequest=', '%53AMLRequest='), 'readable'],
    ['a second parameter percent-encoded', (query: string) => `${query}&Relay%53tate=x`, 'readable'],
    ['broken percent-encoding', (query: string) => `${query}&x%=y`, 'readable'],
    ['another encoding', (query: string) => `${query}&SAMLEncoding=x`, 'readable'],
    ['nothing', () => '', 'readable'],
  ])('by redirect with %s is refused', async (_, change, check) => {
    const query = await redirected(await buildAuthnRequest(options))
    expect(verifyAuthnRequest({ binding: 'redirect', query }, SIGNED).accepted).toBe(true)
    const changed = change(query)
    expect(changed).not.toBe(query)
    expect(failedIn(verifyAuthnRequest({ binding: 'redirect', query: changed }, SIGNED))).toEqual([check])
  })

  it.each([
    ['another issuer', 'issuer', (xml: string) => xml.replace(`>${SP}<`, '>https://other.example<')],
    ['no issuer', 'issuer', (xml: string) => xml.replace(/<saml:Issuer.*<\/saml:Issuer>/, '')],
    ['another destination', 'destination', (xml: string) => xml.replace(`"${SSO}"`, '"https://other.example"')],
    ['an address that is not registered', 'acs', (xml: string) => xml.replace(`"${ACS}"`, `"${ACS}/"`)],
    [
      'an index where there is a choice',
      'acs',
      (xml: string) => xml.replace(/AssertionConsumerServiceURL="[^"]*"/, 'AssertionConsumerServiceIndex="0"'),
    ],
    ['another binding for the answer', 'protocol_binding', (xml: string) => xml.replace('HTTP-POST', 'HTTP-Artifact')],
    ['a time of 301 seconds ago', 'issue_instant', (xml: string) => xml.replace(at(0), at(-301))],
    ['a time in 301 seconds', 'issue_instant', (xml: string) => xml.replace(at(0), at(301))],
    ['no time', 'issue_instant', (xml: string) => xml.replace(/ IssueInstant="[^"]*"/, '')],
    ['no id', 'message', (xml: string) => xml.replace(/ ID="[^"]*"/, '')],
    ['an id that is none', 'message', (xml: string) => xml.replace(ID, '1 2')],
    ['another version', 'message', (xml: string) => xml.replace('Version="2.0"', 'Version="1.1"')],
    ['another message', 'message', (xml: string) => xml.replaceAll('samlp:AuthnRequest', 'samlp:LogoutRequest')],
    [
      'a subject without a name',
      'subject',
      (xml: string) =>
        xml.replace('<samlp:NameIDPolicy', '<saml:Subject><saml:EncryptedID/></saml:Subject><samlp:NameIDPolicy'),
    ],
    ['a document type', 'well_formed', (xml: string) => `<!DOCTYPE x>${xml}`],
  ])('with %s is refused', async (_, check, change) => {
    const xml = await buildAuthnRequest(options)
    const changed = change(xml)
    expect(changed).not.toBe(xml)
    const verdict = verifyAuthnRequest(posted(changed), UNSIGNED)
    expect(verdict).not.toHaveProperty('answer')
    expect(failedIn(verdict)).toEqual([check])
  })

  it('within 299 seconds, without an address, or by index where there is one is accepted', async () => {
    const xml = await buildAuthnRequest(options)
    const without = xml.replace(/ AssertionConsumerServiceURL="[^"]*"/, '')
    const one = { ...UNSIGNED, serviceProvider: { ...UNSIGNED.serviceProvider, acsUrls: [OTHER_ACS] } }
    for (const right of [xml.replace(at(0), at(299)), xml.replace(at(0), at(-299))])
      expect(verifyAuthnRequest(posted(right), UNSIGNED).accepted).toBe(true)
    expect(verifyAuthnRequest(posted(without), UNSIGNED)).toMatchObject({ request: { acsUrl: ACS } })
    const indexed = without.replace(' Version', ' AssertionConsumerServiceIndex="1" Version')
    expect(verifyAuthnRequest(posted(indexed), one)).toMatchObject({ request: { acsUrl: OTHER_ACS } })
  })

  it('is never answered at an address that runs in a browser, even if somebody registered it', async () => {
    const acsUrl = 'javascript:alert(1)'
    const xml = await buildAuthnRequest({ ...options, acsUrl })
    const registered = { ...UNSIGNED, serviceProvider: { ...UNSIGNED.serviceProvider, acsUrls: [acsUrl] } }
    expect(failedIn(verifyAuthnRequest(posted(xml), registered))).toEqual(['acs'])
  })

  it('for a NameID that we do not have is answered by an error', async () => {
    const xml = await buildAuthnRequest({
      ...options,
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos',
    })
    expect(verifyAuthnRequest(posted(xml), UNSIGNED)).toMatchObject({
      accepted: false,
      answer: {
        request: { id: ID, acsUrl: ACS },
        status: STATUS_CODES.requester,
        reason: STATUS_CODES.invalidNameIdPolicy,
      },
    })
  })

  it('is read with its subject, its wishes for the authentication, and whether it is passive', async () => {
    const xml = (await buildAuthnRequest(options))
      .replace(' Version', ' IsPassive="1" Version')
      .replace(
        '<samlp:NameIDPolicy',
        '<saml:Subject><saml:NameID>ada@example.com</saml:NameID></saml:Subject><samlp:NameIDPolicy',
      )
      .replace(
        '</samlp:AuthnRequest>',
        '<samlp:RequestedAuthnContext Comparison="minimum"><saml:AuthnContextClassRef> urn:a </saml:AuthnContextClassRef><saml:AuthnContextClassRef>urn:b</saml:AuthnContextClassRef></samlp:RequestedAuthnContext><samlp:Scoping ProxyCount="1"/></samlp:AuthnRequest>',
      )
    expect(verifyAuthnRequest(posted(xml), UNSIGNED)).toMatchObject({
      accepted: true,
      request: {
        isPassive: true,
        forceAuthn: false,
        nameIdFormat: undefined,
        subject: 'ada@example.com',
        requestedAuthnContext: { comparison: 'minimum', classRefs: ['urn:a', 'urn:b'] },
      },
    })
  })

  it('keeps what the target of the redirect has in its query', async () => {
    const xml = await buildAuthnRequest(options)
    for (const [target, start] of [
      ['https://idp.example/sso?tenant=a%20b', 'https://idp.example/sso?tenant=a%20b&SAMLRequest='],
      ['https://idp.example/sso?', 'https://idp.example/sso?SAMLRequest='],
      ['https://idp.example/sso#x', 'https://idp.example/sso?SAMLRequest='],
    ] as const)
      expect(await redirectUrl({ target, parameter: 'SAMLRequest', xml })).toContain(start)
    const query = queryOf(
      await redirectUrl({ target: `${SSO}?tenant=1`, parameter: 'SAMLRequest', xml, privateKey: spKey.privateKey }),
    )
    expect(verifyAuthnRequest({ binding: 'redirect', query }, SIGNED).accepted).toBe(true)
  })

  it('has an id of its own each time', () => {
    const ids = new Set(Array.from({ length: 100 }, newId))
    expect(ids.size).toBe(100)
    for (const id of ids) expect(id).toMatch(/^_[0-9a-f]{40}$/)
  })
})

describe('a request of another implementation (node-saml)', () => {
  const peer = (changes: Partial<SamlConfig> = {}): SAML =>
    new SAML({
      entryPoint: SSO,
      issuer: SP,
      callbackUrl: ACS,
      idpCert: idpKey.certificate,
      idpIssuer: IDP,
      identifierFormat: NAME_ID_FORMATS.email,
      signatureAlgorithm: 'sha256',
      ...changes,
    })
  const pem = spKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  // Its clock is the machine's.
  const now = Date.now()

  it.each(['sha256', 'sha512'] as const)('by redirect, signed by %s, is accepted', async (signatureAlgorithm) => {
    const url = await peer({ privateKey: pem, signatureAlgorithm }).getAuthorizeUrlAsync('relay-state', undefined, {})
    const verdict = verifyAuthnRequest({ binding: 'redirect', query: queryOf(url) }, { ...SIGNED, now })
    expect(verdict).toMatchObject({ accepted: true, request: { acsUrl: ACS, relayState: 'relay-state' } })
  })

  it('by POST is accepted, although it deflates there', async () => {
    const form = await peer({ authnRequestBinding: 'HTTP-POST' }).getAuthorizeFormAsync('relay', undefined)
    const field = /name="SAMLRequest" value="([^"]+)"/.exec(form)?.[1] ?? ''
    expect(Buffer.from(field, 'base64').toString('latin1')).not.toMatch(/^</)
    expect(verifyAuthnRequest({ binding: 'post', field }, { ...UNSIGNED, now }).accepted).toBe(true)
  })

  it('signed by POST is accepted; by another key, or over a SHA-1 digest, refused', async () => {
    const fieldOf = async (digestAlgorithm: 'sha1' | 'sha256') => {
      const signer = peer({ authnRequestBinding: 'HTTP-POST', privateKey: pem, digestAlgorithm })
      return (
        /name="SAMLRequest" value="([^"]+)"/.exec(await signer.getAuthorizeFormAsync('relay', undefined))?.[1] ?? ''
      )
    }
    const verify = (field: string, changes: Partial<AuthnRequestExpectations> = {}) =>
      failedIn(verifyAuthnRequest({ binding: 'post', field }, { ...SIGNED, now, ...changes }))
    const right = await fieldOf('sha256')
    expect(verify(right)).toEqual([])
    const certificates = [newSigningKey('x').certificate]
    expect(verify(right, { serviceProvider: { ...SIGNED.serviceProvider, certificates } })).toEqual(['signature'])
    const weak = await fieldOf('sha1')
    expect(verify(weak)).toEqual(['signature'])
    expect(verify(weak, { allowSha1: true })).toEqual([])
  })

  it('that becomes too large is refused without being inflated to its end', () => {
    const field = deflateRawSync(Buffer.alloc(50_000_000, 0x20)).toString('base64')
    expect(failedIn(verifyAuthnRequest({ binding: 'post', field }, UNSIGNED))).toEqual(['readable'])
    const query = `SAMLRequest=${encodeURIComponent(field)}`
    expect(failedIn(verifyAuthnRequest({ binding: 'redirect', query }, UNSIGNED))).toEqual(['readable'])
  })
})
