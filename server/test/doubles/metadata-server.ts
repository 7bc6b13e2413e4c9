import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buildIdpMetadata, makeCertificate, type SigningKey } from '../../src/protocols/saml/index.js'
import { nextRsaKeyPair } from '../harness/rsa-keys.mjs'

const DAY = 86_400_000

/** Creates an identity provider key whose certificate is valid between two days relative to now. */
export function certifiedKey(commonName: string, { from = -30, until = 3_650, now = Date.now() } = {}): SigningKey {
  const { privateKey } = nextRsaKeyPair()
  const [begin, end] = [new Date(now + from * DAY), new Date(now + until * DAY)]
  return { privateKey, certificate: makeCertificate({ privateKey, commonName, from: begin, until: end }) }
}

export interface PublishedIdp {
  entityId: string
  ssoUrl: string
  sloUrl?: string | undefined
  /** PEM. */
  certificates: string[]
}

/** Builds the metadata of an identity provider. */
export const metadataOf = ({ certificates, ...idp }: PublishedIdp): string =>
  buildIdpMetadata({ ...idp, signingCertificates: certificates, nameIdFormats: [], wantAuthnRequestsSigned: false })

/** Serves metadata that a test can change at any time. */
export interface MetadataServer {
  url: string
  published: PublishedIdp
  /** Transforms the document. */
  alter: ((xml: string) => string) | undefined
  /** Handles the request instead. */
  answer: ((response: ServerResponse) => void) | undefined
  /** The requested URLs, in order. */
  asked: string[]
  close(): Promise<void>
}

/** @param tls the certificate of `localhost`, to serve the metadata over https */
export async function startMetadataServer(
  certificate: string,
  tls?: { certificate: string; key: string },
): Promise<MetadataServer> {
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    metadata.asked.push(`${origin}${request.url}`)
    if (metadata.answer) return void metadata.answer(response)
    const xml = metadataOf(metadata.published)
    // The runtime's own Date header ignores the test clock.
    const date = new Date(Date.now()).toUTCString()
    response.writeHead(200, { 'content-type': 'application/samlmetadata+xml', date }).end(metadata.alter?.(xml) ?? xml)
  }
  const server = tls ? createTlsServer({ cert: tls.certificate, key: tls.key }, handle) : createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${(server.address() as AddressInfo).port}`
  const metadata: MetadataServer = {
    url: `${origin}/metadata`,
    published: {
      entityId: `${origin}/entity`,
      ssoUrl: `${origin}/sso`,
      sloUrl: `${origin}/slo`,
      certificates: [certificate],
    },
    alter: undefined,
    answer: undefined,
    asked: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return metadata
}
