import { randomBytes, X509Certificate } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { expect } from 'vitest'
import { locationOf } from '../doubles/relying-party.js'
import { writeFor } from '../doubles/saml-written-for.js'
import type { ApiRequest, ApiResponse } from '../harness/api.js'
import type { TestService } from '../harness/service.js'
import { at, IDP, idpKey, type Parts, responseXml, type Signing, signXml } from '../peers/saml-peer.js'
import type { TestUser } from './factories.js'
import { addProvider, resultOf } from './sso.js'

/** Returns the settings of a SAML provider: the peer that signs arbitrary messages. */
export const samlProvider = (fields: Record<string, unknown> = {}) => ({
  name: 'Directory',
  type: 'GENERIC_SAML',
  protocol: 'SAML2',
  samlEntityId: IDP,
  samlSsoUrl: 'https://idp.example/sso?fixed=1',
  samlCertificate: idpKey.certificate,
  ...fields,
})

/** A SAML provider of a team, with Keyward's URLs for it. */
export interface SamlSite {
  service: TestService
  teamId: string
  id: string
  /** The URL of Keyward's service provider. */
  sp: string
  acs: string
  certificate: string
}

export async function addSamlSite(
  service: TestService,
  owner: TestUser,
  fields: Record<string, unknown> = {},
): Promise<SamlSite> {
  const { id } = await addProvider(service, owner, samlProvider(fields))
  const { teamId } = owner
  const base = `${service.baseUrl}/api/v1/sso/saml/${teamId}`
  const metadata = await service.api('GET', `/api/v1/sso/saml/${teamId}/metadata`)
  expect(metadata.status, metadata.text).toBe(200)
  const certificate = /use="encryption".*?<ds:X509Certificate>([^<]+)/.exec(metadata.text)?.[1] ?? ''
  return { service, teamId, id, sp: `${base}/metadata`, acs: `${base}/acs`, certificate }
}

/** A sign-in that was redirected to the provider. */
export interface Begun {
  location: URL
  /** The AuthnRequest. */
  request: string
  requestId: string
  cookies: Record<string, string>
}

/** Starts a sign-in in a browser with its `own` cookies. The peer's next messages respond to it. */
export async function beginSaml(
  site: SamlSite,
  query: Record<string, string> = {},
  own: Record<string, string> = {},
): Promise<Begun> {
  const params = new URLSearchParams({ providerId: site.id, ...query })
  const answer = await site.service.api('GET', `/api/v1/sso/saml/${site.teamId}/login?${params}`, { cookies: own })
  expect(answer.status, answer.text).toBe(302)
  const location = locationOf(answer)
  const request = inflateRawSync(Buffer.from(location.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  const requestId = / ID="([^"]+)"/.exec(request)?.[1] ?? ''
  answerTo(site, requestId)
  const cookies = Object.fromEntries(Object.entries(answer.cookies).map(([name, { value }]) => [name, value]))
  return { location, request, requestId, cookies }
}

/** Makes the peer's next messages respond to this request for this site. */
export function answerTo({ service, sp, acs, certificate }: SamlSite, request: string): void {
  const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'))
  writeFor({ now: service.clock.ms(), sp, acs, request, recipient: publicKey })
}

/** Posts a message of the provider. On http the client is not a browser, because a browser's session would wait for the callback page. */
export function bring(
  { service, teamId }: Pick<SamlSite, 'service' | 'teamId'>,
  message: string | Buffer,
  { relayState, headers, ...request }: ApiRequest & { relayState?: string | undefined } = {},
): Promise<ApiResponse> {
  const field = typeof message === 'string' ? Buffer.from(message).toString('base64') : message.toString()
  const form = { SAMLResponse: field, ...(relayState !== undefined && { RelayState: relayState }) }
  return service.api('POST', `/api/v1/sso/saml/${teamId}/acs`, {
    ...request,
    raw: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(service.baseUrl.startsWith('https:') && { origin: 'https://idp.example' }),
      ...headers,
    },
  })
}

/** A user of the provider. */
export interface Person {
  email: string
  attributes?: Record<string, string[]>
  context?: string
}

/** Returns the parts of a response about a user; every assertion has its own ID. */
export function partsOf({ email, attributes = {}, context }: Person): Partial<Parts> {
  const statement = context && {
    statement: `<saml:AuthnStatement AuthnInstant="${at(-10)}" SessionIndex="_session-1"><saml:AuthnContext><saml:AuthnContextClassRef>${context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
  }
  return {
    assertionId: `_${randomBytes(8).toString('hex')}`,
    nameId: `<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${email}</saml:NameID>`,
    attributes: Object.entries(attributes)
      .map(
        ([name, values]) =>
          `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
      )
      .join(''),
    ...statement,
  }
}

/** Returns a response with a signed assertion. */
export function signedXml(parts: Partial<Parts>, signing: Partial<Signing> = {}): string {
  const { assertionId = '_assertion-1' } = parts
  return signXml(responseXml(parts), 'Assertion', { uri: `#${assertionId}`, ...signing })
}

/** Signs a user in and returns the parameters of Keyward's callback page. */
export async function signInBySaml(
  site: SamlSite,
  person: Person,
  changes: Partial<Parts> = {},
): Promise<Record<string, string>> {
  const { cookies, requestId } = await beginSaml(site)
  const xml = signedXml({ ...partsOf(person), ...changes })
  return resultOf(await bring(site, xml, { cookies, relayState: requestId }))
}

/** Returns the last entry of the sign-in log. */
export async function lastRecorded(
  { service, id }: Pick<SamlSite, 'service' | 'id'>,
  { token }: Pick<TestUser, 'token'>,
): Promise<ApiResponse['body']> {
  const { body } = await service.api('GET', `/api/v1/sso/providers/${id}/sign-ins`, { token })
  return body.data[0]
}
