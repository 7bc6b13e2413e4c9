import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { TLSSocket } from 'node:tls'

/** The certificate of a server and the error of its verification, such as `CERT_HAS_EXPIRED`. */
export interface ServerCertificate {
  validFrom: Date
  validTo: Date
  /** The names for which it is valid, such as `DNS:id.example.com`. */
  names: string
  error: string | undefined
}

export interface Response {
  status: number
  headers: IncomingHttpHeaders
  /** The first 64 KiB. */
  body: string
  /** The port from which the request was sent. */
  localPort: number | undefined
  certificate: ServerCertificate | undefined
}

const MAX_BYTES = 65_536

/** Sends a GET request that accepts any certificate, because the caller reports its errors. */
export function get(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
  const open = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const options = { headers, signal, agent: false, rejectUnauthorized: false }
    const request = open(url, options, (response) => {
      const { socket, statusCode = 0 } = response
      const certificate = socket instanceof TLSSocket ? certificateOf(socket) : undefined
      const { localPort } = socket
      const chunks: Buffer[] = []
      let bytes = 0
      const finish = () => {
        const body = Buffer.concat(chunks).toString('utf8')
        resolve({ status: statusCode, headers: response.headers, body, localPort, certificate })
        request.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes >= MAX_BYTES) finish()
      })
      response.on('end', finish)
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end()
  })
}

function certificateOf(socket: TLSSocket): ServerCertificate {
  const { valid_from, valid_to, subjectaltname, subject } = socket.getPeerCertificate()
  return {
    validFrom: new Date(valid_from),
    validTo: new Date(valid_to),
    names: subjectaltname ?? `CN:${subject?.CN}`,
    // A code, although the types declare an Error.
    error: socket.authorizationError ? String(socket.authorizationError) : undefined,
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns whether a node of the service has sent the response: each has the ID of its request. */
export const isFromKeyward = ({ headers }: Response): boolean => UUID.test(String(headers['x-request-id'] ?? ''))
