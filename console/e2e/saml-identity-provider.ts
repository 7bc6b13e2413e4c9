/// <reference lib="es2024.string" />
import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateRawSync } from 'node:zlib'
import { buildLogoutResponse, newId, redirectUrl, STATUS_CODES } from '../../server/src/protocols/saml/index'
import { certifiedKey, metadataOf } from '../../server/test/doubles/metadata-server'
import { writeFor } from '../../server/test/doubles/saml-written-for'
import { type Parts, responseXml, signXml } from '../../server/test/peers/saml-peer'
import type { Program } from './programs'

/** A SAML identity provider that signs every user in at once and publishes its metadata. */
export interface SamlIdentityProvider {
  entityId: string
  metadataUrl: string
  /** the metadata, with a certificate for each key */
  metadata(): string
  /** the NameID and the attributes of the user */
  person: { nameId: string; attributes: Record<string, string> }
  /** invalid parts of its responses */
  wrong: Partial<Parts>
  /** sets the days until its certificates expire; the first key signs */
  certificatesEnd(...days: number[]): void
  /** whether it keeps its own session at a logout request */
  staysSignedIn: boolean
  /** the logout requests that it received */
  signOuts: URL[]
  close(): void
}

const decoded = (value: string | null) => inflateRawSync(Buffer.from(value ?? '', 'base64')).toString()
const attributeIn = (xml: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? ''
const issuerIn = (xml: string) => />([^<]+)<\/saml:Issuer>/.exec(xml)?.[1] ?? ''
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export async function startSamlIdentityProvider(): Promise<SamlIdentityProvider> {
  let keys = [certifiedKey('idp.example')]
  const server = createServer(async (request, response) => {
    const asked = new URL(request.url ?? '/', origin)
    if (asked.pathname === '/metadata') return void response.setHeader('Content-Type', 'text/xml').end(peer.metadata())
    if (asked.pathname === '/sso' && asked.searchParams.has('SAMLRequest')) return signIn(asked, response)
    // A check of the endpoint without a request.
    if (asked.pathname === '/sso') return void response.end()
    if (asked.pathname === '/slo') return signOut(asked, response)
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const entityId = `${origin}/metadata`

  function signIn({ searchParams: asked }: URL, response: ServerResponse) {
    const request = decoded(asked.get('SAMLRequest'))
    const acs = attributeIn(request, 'AssertionConsumerServiceURL')
    writeFor({
      now: Date.now(),
      sp: issuerIn(request),
      acs,
      request: attributeIn(request, 'ID'),
      recipient: undefined,
    })
    const { nameId, attributes } = peer.person
    const assertionId = `_${randomUUID()}`
    const xml = responseXml({
      assertionId,
      issuer: entityId,
      responseIssuer: entityId,
      nameId: `<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${escaped(nameId)}</saml:NameID>`,
      attributes: Object.entries(attributes)
        .map(
          ([name, value]) =>
            `<saml:Attribute Name="${escaped(name)}"><saml:AttributeValue>${escaped(value)}</saml:AttributeValue></saml:Attribute>`,
        )
        .join(''),
      ...peer.wrong,
    })
    const [key] = keys
    const signed = signXml(xml, 'Assertion', { uri: `#${assertionId}`, ...(key && { key }) })
    const fields = { SAMLResponse: Buffer.from(signed).toString('base64'), RelayState: asked.get('RelayState') ?? '' }
    const inputs = Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
    )
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><html lang="en"><title>Signing in</title><link rel="icon" href="data:,"><body onload="document.forms[0].submit()"><form method="post" action="${escaped(acs)}">${inputs.join('')}</form></body></html>`,
    )
  }

  async function signOut(asked: URL, response: ServerResponse) {
    peer.signOuts.push(asked)
    const request = decoded(asked.searchParams.get('SAMLRequest'))
    const target = issuerIn(request).replace(/metadata$/, 'slo')
    const [key] = keys
    if (!key) throw new Error('It has no key')
    const xml = await buildLogoutResponse({
      id: newId(),
      issuer: entityId,
      destination: target,
      now: Date.now(),
      inResponseTo: attributeIn(request, 'ID'),
      status: peer.staysSignedIn ? STATUS_CODES.responder : STATUS_CODES.success,
    })
    const { privateKey } = key
    response
      .writeHead(302, { Location: await redirectUrl({ target, parameter: 'SAMLResponse', xml, privateKey }) })
      .end()
  }

  const peer: SamlIdentityProvider = {
    entityId,
    metadataUrl: `${origin}/metadata`,
    metadata: () =>
      metadataOf({
        entityId,
        ssoUrl: `${origin}/sso`,
        sloUrl: `${origin}/slo`,
        certificates: keys.map(({ certificate }) => certificate),
      }),
    person: { nameId: '', attributes: {} },
    wrong: {},
    certificatesEnd(...days) {
      keys = days.map((until) => certifiedKey('idp.example', { from: -700, until }))
    },
    staysSignedIn: false,
    signOuts: [],
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return peer
}

/** Adds the provider to the team of `owner` with its metadata. @returns its ID */
export async function addSamlProvider(
  owner: Program,
  peer: SamlIdentityProvider,
  settings: object = {},
): Promise<string> {
  const made = await owner.post('/sso/providers', {
    name: 'Directory',
    type: 'GENERIC_SAML',
    protocol: 'SAML2',
    samlMetadataUrl: peer.metadataUrl,
    enabled: true,
    autoProvision: true,
    ...settings,
  })
  return String(made.id)
}
