/// <reference lib="es2024.string" />
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { buildSpMetadata, NAME_ID_FORMATS } from '../../server/src/protocols/saml/index'
import { certifiedKey } from '../../server/test/metadata-server'
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
  /** where people are when they are signed in */
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

  const posted: URLSearchParams[] = []
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
