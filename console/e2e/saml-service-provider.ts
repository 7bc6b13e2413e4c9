/// <reference lib="es2024.string" />
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { buildSpMetadata, NAME_ID_FORMATS } from '../../server/src/protocols/saml/index'
import { certifiedKey } from '../../server/test/doubles/metadata-server'
import { at } from './browser'

interface Site {
  url: string
  stop(): void
}

async function startSite(host: string, listen: RequestListener): Promise<Site> {
  const server = createServer(listen)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><link rel="icon" href="data:,"><body>${body}</body></html>`

/** An application that signs people in by SAML, at another site than the service. */
export interface SamlServiceProvider {
  entityId: string
  /** where a sign-in begins, by the redirect binding; below it `/by-post` begins one by the other */
  url: string
  acsUrl: string
  /** where it describes itself */
  metadataUrl: string
  /** as it stands there, with a certificate that ends in so many days */
  metadata(days?: number): string
  /** where it takes messages of sign-outs; asked without one, it begins a sign-out of `person` */
  sloUrl: string
  /** whose address it signs out */
  person: string
  /** what the browser brought there, in order */
  signOuts: URLSearchParams[]
  /** where people are when they are signed in, or out */
  home: string
  /** with whose id it is registered */
  application: string
  /** what it was given, in order */
  posted: URLSearchParams[]
  /** the last response, as XML */
  answered(): string
  stop(): void
}

const RELAY_STATE = 'deep & "quoted" <link>'

export async function startSamlServiceProvider(): Promise<SamlServiceProvider> {
  const entityId = 'urn:payroll'
  const requestXml = () =>
    `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r${posted.length}-${Date.now()}" Version="2.0" IssueInstant="${new Date().toISOString()}"><saml:Issuer>${entityId}</saml:Issuer></samlp:AuthnRequest>`

  const said = (message: string) => deflateRawSync(message).toString('base64')
  const logoutXml = (kind: 'Request' | 'Response', attributes: string, inside: string) =>
    `<samlp:Logout${kind} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_l${signOuts.length}-${Date.now()}" Version="2.0" IssueInstant="${new Date().toISOString()}"${attributes}><saml:Issuer>${entityId}</saml:Issuer>${inside}</samlp:Logout${kind}>`

  /** Where a sign-out goes on: it begins one, answers one, or is done. */
  function signOut(query: URLSearchParams): string {
    const slo = at(`/api/v1/sso/saml-idp/${peer.application}/slo`)
    if (query.size === 0) {
      const name = `<saml:NameID Format="${NAME_ID_FORMATS.email}">${peer.person}</saml:NameID>`
      return `${slo}?${new URLSearchParams({ SAMLRequest: said(logoutXml('Request', '', name)) })}`
    }
    signOuts.push(query)
    if (query.has('SAMLResponse')) return home.url
    const request = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString()
    const status = `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>`
    const xml = logoutXml('Response', ` InResponseTo="${/ ID="([^"]+)"/.exec(request)?.[1]}"`, status)
    return `${slo}?${new URLSearchParams({ SAMLResponse: said(xml), RelayState: query.get('RelayState') ?? '' })}`
  }

  const posted: URLSearchParams[] = []
  const signOuts: URLSearchParams[] = []
  const home = await startSite('localhost', (_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(page('Payroll', '<h1>Welcome to payroll</h1>'))
  })
  const site = await startSite('127.0.0.1', async (request, response) => {
    const sso = at(`/api/v1/sso/saml-idp/${peer.application}/sso`)
    if (request.method === 'POST') {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      posted.push(new URLSearchParams(Buffer.concat(chunks).toString()))
      response.writeHead(303, { Location: home.url }).end()
    } else if (request.url?.startsWith('/slo')) {
      response.writeHead(302, { Location: signOut(new URL(request.url, site.url).searchParams) }).end()
    } else if (request.url === '/metadata') {
      response.setHeader('Content-Type', 'application/samlmetadata+xml').end(peer.metadata())
    } else if (request.url === '/nowhere') {
      response.writeHead(404).end()
    } else if (request.url === '/by-post') {
      const value = Buffer.from(requestXml()).toString('base64')
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end(
        page(
          'Payroll',
          `<form method="post" action="${sso}"><input type="hidden" name="SAMLRequest" value="${value}"><button>Sign in</button></form>`,
        ),
      )
    } else {
      const query = new URLSearchParams({
        SAMLRequest: deflateRawSync(requestXml()).toString('base64'),
        RelayState: RELAY_STATE,
      })
      response.writeHead(302, { Location: `${sso}?${query}` }).end()
    }
  })

  const peer: SamlServiceProvider = {
    entityId,
    url: site.url,
    acsUrl: `${site.url}/acs`,
    metadataUrl: `${site.url}/metadata`,
    metadata: (days = 300) =>
      buildSpMetadata({
        entityId,
        signingCertificates: [certifiedKey('payroll.example', { from: -700, until: days }).certificate],
        encryptionCertificates: [],
        acsUrl: `${site.url}/acs`,
        sloUrl: `${site.url}/slo`,
        nameIdFormats: [NAME_ID_FORMATS.persistent],
        authnRequestsSigned: false,
        wantAssertionsSigned: true,
      }),
    sloUrl: `${site.url}/slo`,
    person: '',
    signOuts,
    home: `${home.url}/`,
    application: '',
    posted,
    answered: () => Buffer.from(posted.at(-1)?.get('SAMLResponse') ?? '', 'base64').toString(),
    stop() {
      site.stop()
      home.stop()
    },
  }
  return peer
}
