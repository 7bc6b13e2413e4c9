import { deflateRawSync } from 'node:zlib'
import { SAML, type SamlConfig } from '@node-saml/node-saml'
import { describe, expect, it } from 'vitest'
import { ACS, at, attackerKey, IDP, idpKey, NOW, newSigningKey, SP, spKey } from '../../../../test/peers/saml-peer.js'
import {
  type AuthnRequestExpectations,
  type BoundMessage,
  buildAuthnRequest,
  NAME_ID_FORMATS,
  newId,
  redirectUrl,
  STATUS_CODES,
  verifyAuthnRequest,
} from '../index.js'

const SSO = 'https://idp.example/sso'
const OTHER_ACS = 'https://sp.example/acs2'

/** Returns the expectations for an application with or without certificates. */
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

describe('the AuthnRequest verifier', () => {
  it('accepts a request that Keyward builds over both bindings, and returns all options', async () => {
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

  it('accepts an unsigned request only from an application without a certificate', async () => {
    const xml = await buildAuthnRequest(options)
    const query = queryOf(await redirectUrl({ target: SSO, parameter: 'SAMLRequest', xml }))
    for (const message of [posted(xml), { binding: 'redirect', query } as const]) {
      expect(verifyAuthnRequest(message, UNSIGNED).accepted).toBe(true)
      expect(failedIn(verifyAuthnRequest(message, SIGNED))).toEqual(['signature'])
    }
  })

  it('rejects a request that is changed or signed with another key', async () => {
    const foreign = await buildAuthnRequest(options, attackerKey)
    expect(failedIn(verifyAuthnRequest(posted(foreign), SIGNED))).toEqual(['signature'])
    const changed = (await buildAuthnRequest(options, spKey)).replace(ACS, OTHER_ACS)
    expect(failedIn(verifyAuthnRequest(posted(changed), SIGNED))).toEqual(['signature'])
    const query = await redirected(await buildAuthnRequest(options), attackerKey.privateKey)
    expect(failedIn(verifyAuthnRequest({ binding: 'redirect', query }, SIGNED))).toEqual(['signature'])
  })

  it.each([
    ['an altered RelayState', (query: string) => query.replace('RelayState=', 'RelayState=x'), 'signature'],
    ['a differently encoded RelayState', (query: string) => query.replace('%20', '+'), 'signature'],
    ['the RelayState removed', (query: string) => query.replace(/&RelayState=[^&]*/, ''), 'signature'],
    ['the signature removed', (query: string) => query.replace(/&SigAlg=.*/, ''), 'signature'],
    ['an empty signature', (query: string) => query.replace(/&Signature=.*/, '&Signature='), 'signature'],
    [
      'RSA-SHA1',
      (query: string) =>
        query.replace(/SigAlg=[^&]*/, `SigAlg=${encodeURIComponent('http://www.w3.org/2000/09/xmldsig#rsa-sha1')}`),
      'signature',
    ],
    ['HMAC', (query: string) => query.replace('rsa-sha256', 'hmac-sha256'), 'signature'],
    ['the algorithm removed', (query: string) => query.replace(/&SigAlg=[^&]*/, ''), 'readable'],
    ['a second request before', (query: string) => `SAMLRequest=x&${query}`, 'readable'],
    ['a second request after', (query: string) => `${query}&SAMLRequest=x`, 'readable'],
    ['a second RelayState', (query: string) => `${query}&RelayState=x`, 'readable'],
    ['a second signature', (query: string) => `${query}&Signature=x`, 'readable'],
    ['a response too', (query: string) => `${query}&SAMLResponse=x`, 'readable'],
    ['an encoded parameter name', (query: string) => query.replace('SAMLRequest=', '%53AMLRequest='), 'readable'],
    ['a second encoded parameter name', (query: string) => `${query}&Relay%53tate=x`, 'readable'],
    ['broken percent-encoding', (query: string) => `${query}&x%=y`, 'readable'],
    ['another encoding', (query: string) => `${query}&SAMLEncoding=x`, 'readable'],
    ['nothing', () => '', 'readable'],
  ])('rejects a redirect with %s', async (_, change, check) => {
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
    ['a URL that is not registered', 'acs', (xml: string) => xml.replace(`"${ACS}"`, `"${ACS}/"`)],
    [
      'an index where there is a choice',
      'acs',
      (xml: string) => xml.replace(/AssertionConsumerServiceURL="[^"]*"/, 'AssertionConsumerServiceIndex="0"'),
    ],
    [
      'another binding for the response',
      'protocol_binding',
      (xml: string) => xml.replace('HTTP-POST', 'HTTP-Artifact'),
    ],
    ['a time 301 seconds ago', 'issue_instant', (xml: string) => xml.replace(at(0), at(-301))],
    ['a time in 301 seconds', 'issue_instant', (xml: string) => xml.replace(at(0), at(301))],
    ['no time', 'issue_instant', (xml: string) => xml.replace(/ IssueInstant="[^"]*"/, '')],
    ['no ID', 'message', (xml: string) => xml.replace(/ ID="[^"]*"/, '')],
    ['a malformed ID', 'message', (xml: string) => xml.replace(ID, '1 2')],
    ['another version', 'message', (xml: string) => xml.replace('Version="2.0"', 'Version="1.1"')],
    ['another message', 'message', (xml: string) => xml.replaceAll('samlp:AuthnRequest', 'samlp:LogoutRequest')],
    [
      'a subject without a name',
      'subject',
      (xml: string) =>
        xml.replace('<samlp:NameIDPolicy', '<saml:Subject><saml:EncryptedID/></saml:Subject><samlp:NameIDPolicy'),
    ],
    ['a document type', 'well_formed', (xml: string) => `<!DOCTYPE x>${xml}`],
  ])('rejects a request with %s', async (_, check, change) => {
    const xml = await buildAuthnRequest(options)
    const changed = change(xml)
    expect(changed).not.toBe(xml)
    const verdict = verifyAuthnRequest(posted(changed), UNSIGNED)
    expect(verdict).not.toHaveProperty('errorResponse')
    expect(failedIn(verdict)).toEqual([check])
  })

  it('accepts a request within 299 seconds, without a URL, and with an index if there is one URL', async () => {
    const xml = await buildAuthnRequest(options)
    const without = xml.replace(/ AssertionConsumerServiceURL="[^"]*"/, '')
    const one = { ...UNSIGNED, serviceProvider: { ...UNSIGNED.serviceProvider, acsUrls: [OTHER_ACS] } }
    for (const right of [xml.replace(at(0), at(299)), xml.replace(at(0), at(-299))])
      expect(verifyAuthnRequest(posted(right), UNSIGNED).accepted).toBe(true)
    expect(verifyAuthnRequest(posted(without), UNSIGNED)).toMatchObject({ request: { acsUrl: ACS } })
    const indexed = without.replace(' Version', ' AssertionConsumerServiceIndex="1" Version')
    expect(verifyAuthnRequest(posted(indexed), one)).toMatchObject({ request: { acsUrl: OTHER_ACS } })
  })

  it('returns no registered URL that a browser would execute', async () => {
    const acsUrl = 'javascript:alert(1)'
    const xml = await buildAuthnRequest({ ...options, acsUrl })
    const registered = { ...UNSIGNED, serviceProvider: { ...UNSIGNED.serviceProvider, acsUrls: [acsUrl] } }
    expect(failedIn(verifyAuthnRequest(posted(xml), registered))).toEqual(['acs'])
  })

  it('returns an error response for an unsupported NameID format', async () => {
    const xml = await buildAuthnRequest({
      ...options,
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos',
    })
    expect(verifyAuthnRequest(posted(xml), UNSIGNED)).toMatchObject({
      accepted: false,
      errorResponse: {
        request: { id: ID, acsUrl: ACS },
        status: STATUS_CODES.requester,
        reason: STATUS_CODES.invalidNameIdPolicy,
      },
    })
  })

  it('reads the subject, the authentication context and IsPassive', async () => {
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

  it('keeps the query of the target URL', async () => {
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

  it('uses a new ID each time', () => {
    const ids = new Set(Array.from({ length: 100 }, newId))
    expect(ids.size).toBe(100)
    for (const id of ids) expect(id).toMatch(/^_[0-9a-f]{40}$/)
  })
})

describe('the AuthnRequest verifier with node-saml', () => {
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
  // It uses the system clock.
  const now = Date.now()

  it.each(['sha256', 'sha512'] as const)('accepts a redirect signed with %s', async (signatureAlgorithm) => {
    const url = await peer({ privateKey: pem, signatureAlgorithm }).getAuthorizeUrlAsync('relay-state', undefined, {})
    const verdict = verifyAuthnRequest({ binding: 'redirect', query: queryOf(url) }, { ...SIGNED, now })
    expect(verdict).toMatchObject({ accepted: true, request: { acsUrl: ACS, relayState: 'relay-state' } })
  })

  it('accepts a deflated POST', async () => {
    const form = await peer({ authnRequestBinding: 'HTTP-POST' }).getAuthorizeFormAsync('relay', undefined)
    const field = /name="SAMLRequest" value="([^"]+)"/.exec(form)?.[1] ?? ''
    expect(Buffer.from(field, 'base64').toString('latin1')).not.toMatch(/^</)
    expect(verifyAuthnRequest({ binding: 'post', field }, { ...UNSIGNED, now }).accepted).toBe(true)
  })

  it('accepts a signed POST, but not another key or a SHA-1 digest', async () => {
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

  it('rejects a deflate bomb before it is fully inflated', () => {
    const field = deflateRawSync(Buffer.alloc(50_000_000, 0x20)).toString('base64')
    expect(failedIn(verifyAuthnRequest({ binding: 'post', field }, UNSIGNED))).toEqual(['readable'])
    const query = `SAMLRequest=${encodeURIComponent(field)}`
    expect(failedIn(verifyAuthnRequest({ binding: 'redirect', query }, UNSIGNED))).toEqual(['readable'])
  })
})
