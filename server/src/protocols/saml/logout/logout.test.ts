import { SAML } from '@node-saml/node-saml'
import { describe, expect, it } from 'vitest'
import { at, attackerKey, IDP, idpKey, NOW, SP, spKey } from '../../../../test/peers/saml-peer.js'
import {
  type BoundMessage,
  buildLogoutRequest,
  buildLogoutResponse,
  NAME_ID_FORMATS,
  type OpenedLogout,
  openLogout,
  redirectUrl,
  STATUS_CODES,
} from '../index.js'

const verifyLogoutRequest = (message: BoundMessage, rules: Parameters<OpenedLogout['verifyRequest']>[0]) =>
  openLogout(message).verifyRequest(rules)
const verifyLogoutResponse = (message: BoundMessage, rules: Parameters<OpenedLogout['verifyResponse']>[0]) =>
  openLogout(message).verifyResponse(rules)

const SLO = 'https://idp.example/slo'
const expected = { now: NOW, issuer: SP, destinations: [SLO], certificates: [spKey.certificate] }
const nameId = { value: 'ada & co', format: NAME_ID_FORMATS.persistent, nameQualifier: IDP, spNameQualifier: SP }
const request = { id: '_logout-1', issuer: SP, destination: SLO, now: NOW, nameId, sessionIndexes: ['_a', '_b'] }
const response = {
  id: '_logout-2',
  issuer: SP,
  destination: SLO,
  now: NOW,
  inResponseTo: '_logout-0',
  status: STATUS_CODES.success,
}
const posted = (xml: string): BoundMessage => ({
  binding: 'post',
  field: Buffer.from(xml).toString('base64'),
  relayState: 'x y',
})
const redirected = async (
  parameter: 'SAMLRequest' | 'SAMLResponse',
  xml: string,
  key = spKey,
): Promise<BoundMessage> => {
  const url = await redirectUrl({ target: SLO, parameter, xml, relayState: 'x y', privateKey: key.privateKey })
  return { binding: 'redirect', query: url.slice(url.indexOf('?')) }
}
const failedIn = (verdict: { checks: { id: string; status: string }[] }): string[] =>
  verdict.checks.filter(({ status }) => status === 'failed').map(({ id }) => id)

describe('the LogoutRequest verifier', () => {
  it('accepts a request over both bindings and returns NameID and SessionIndex values', async () => {
    for (const message of [
      posted(await buildLogoutRequest(request, spKey)),
      await redirected('SAMLRequest', await buildLogoutRequest(request)),
    ])
      expect(verifyLogoutRequest(message, expected)).toMatchObject({
        accepted: true,
        request: {
          id: '_logout-1',
          relayState: 'x y',
          nameId: 'ada & co',
          nameIdFormat: NAME_ID_FORMATS.persistent,
          nameQualifier: IDP,
          spNameQualifier: SP,
          sessionIndexes: ['_a', '_b'],
        },
      })
  })

  it('rejects a request without a signature, with another key, and without a known certificate', async () => {
    const xml = await buildLogoutRequest(request)
    expect(failedIn(verifyLogoutRequest(posted(xml), expected))).toEqual(['signature'])
    expect(failedIn(verifyLogoutRequest(posted(xml), { ...expected, certificates: [] }))).toEqual(['signature'])
    expect(failedIn(verifyLogoutRequest(await redirected('SAMLRequest', xml, attackerKey), expected))).toEqual([
      'signature',
    ])
    const signed = await buildLogoutRequest(request, spKey)
    expect(failedIn(verifyLogoutRequest(posted(signed.replace('ada &amp;', 'bob &amp;')), expected))).toEqual([
      'signature',
    ])
    expect(failedIn(verifyLogoutRequest(posted(signed), { ...expected, certificates: [] }))).toEqual(['signature'])
  })

  it.each([
    ['from another issuer', 'issuer', { issuer: 'https://other.example' }],
    ['to another destination', 'destination', { destination: 'https://other.example' }],
    ['of the day before', 'issue_instant', { now: NOW - 86_400_000 }],
    ['without a NameID', 'name_id', { nameId: { value: '' } }],
  ])('rejects a request %s', async (_, check, changes) => {
    const xml = await buildLogoutRequest({ ...request, ...changes }, spKey)
    expect(failedIn(verifyLogoutRequest(posted(xml), expected))).toContain(check)
  })

  it('rejects an expired request', async () => {
    const xml = (await buildLogoutRequest(request)).replace(at(300), at(-121))
    expect(failedIn(verifyLogoutRequest(await redirected('SAMLRequest', xml), expected))).toEqual(['not_on_or_after'])
  })

  it('accepts a request that node-saml builds, and builds one that node-saml accepts', async () => {
    const pem = spKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const peer = new SAML({
      entryPoint: SLO,
      logoutUrl: SLO,
      issuer: SP,
      callbackUrl: 'https://sp.example/acs',
      idpCert: idpKey.certificate,
      idpIssuer: IDP,
      privateKey: pem,
      signatureAlgorithm: 'sha256',
    })
    const user = { issuer: IDP, nameID: 'ada', nameIDFormat: NAME_ID_FORMATS.email, sessionIndex: '_a' }
    const url = await peer.getLogoutUrlAsync(user, 'relay', {})
    const query = url.slice(url.indexOf('?'))
    expect(verifyLogoutRequest({ binding: 'redirect', query }, { ...expected, now: Date.now() })).toMatchObject({
      accepted: true,
      request: { nameId: 'ada', nameIdFormat: NAME_ID_FORMATS.email, sessionIndexes: ['_a'], relayState: 'relay' },
    })
    const ours = await buildLogoutRequest({ ...request, issuer: IDP, now: Date.now() }, idpKey)
    const SAMLRequest = Buffer.from(ours).toString('base64')
    await expect(peer.validatePostRequestAsync({ SAMLRequest })).resolves.toMatchObject({
      profile: { nameID: 'ada & co' },
    })
  })
})

describe('the LogoutResponse verifier', () => {
  it('accepts a response over both bindings with any status', async () => {
    const awaited = { ...expected, inResponseTo: ['_other', '_logout-0'] }
    for (const message of [
      posted(await buildLogoutResponse(response, spKey)),
      await redirected('SAMLResponse', await buildLogoutResponse(response)),
    ])
      expect(verifyLogoutResponse(message, awaited)).toMatchObject({
        accepted: true,
        response: { inResponseTo: '_logout-0', success: true, relayState: 'x y' },
      })
    const partial = {
      ...response,
      status: STATUS_CODES.responder,
      reason: STATUS_CODES.partialLogout,
      message: 'not all',
    }
    expect(verifyLogoutResponse(posted(await buildLogoutResponse(partial, spKey)), awaited)).toMatchObject({
      accepted: true,
      response: { success: false, status: STATUS_CODES.responder, message: 'not all' },
    })
  })

  it('rejects an unsigned response, one to an unknown request, and one sent as a request', async () => {
    const awaited = { ...expected, inResponseTo: ['_logout-0'] }
    expect(failedIn(verifyLogoutResponse(posted(await buildLogoutResponse(response)), awaited))).toEqual(['signature'])
    const other = await buildLogoutResponse({ ...response, inResponseTo: '_x' }, spKey)
    expect(failedIn(verifyLogoutResponse(posted(other), awaited))).toEqual(['in_response_to'])
    const asRequest = await redirected('SAMLRequest', await buildLogoutResponse(response))
    expect(failedIn(verifyLogoutResponse(asRequest, awaited))).toEqual(['readable'])
  })
})
