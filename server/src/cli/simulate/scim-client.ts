import type { Json } from './json.js'

export interface ScimResponse {
  status: number
  /** Undefined without a body, or if it is not JSON. */
  body: Json | undefined
  contentType: string
  location: string | undefined
}

/** A request in the report of a step. */
export interface SentRequest {
  method: string
  /** Relative to the base URL, with its query. */
  path: string
  body: Json | undefined
  response: ScimResponse
  ms: number
}

export interface ScimClient {
  /** Sends a request and returns the response, also with a status of 4xx or 5xx. @throws an error on a timeout or network error */
  send(method: string, path: string, body?: Json): Promise<ScimResponse>
}

const TIMEOUT_MS = 30_000

/**
 * Creates a client that imitates the requests of one vendor's SCIM client.
 * @param base the SCIM URL of a team: `https://id.example.com/scim/v2/acme`
 * @param onRequest called after each response, not after a network error
 */
export function createScimClient(
  base: string,
  token: string,
  onRequest: (request: SentRequest) => void,
  { userAgent, contentType = 'application/scim+json' }: { userAgent: string; contentType?: string },
): ScimClient {
  return {
    async send(method, path, body) {
      const begin = performance.now()
      const fetched = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/scim+json, application/json',
          'user-agent': userAgent,
          ...(body !== undefined && { 'content-type': contentType }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const text = await fetched.text()
      const response = {
        status: fetched.status,
        body: parseJson(text),
        contentType: fetched.headers.get('content-type') ?? '',
        location: fetched.headers.get('location') ?? undefined,
      }
      onRequest({ method, path, body, response, ms: performance.now() - begin })
      return response
    },
  }
}

/** Returns undefined for an empty body and for one that is not JSON. */
function parseJson(text: string): Json | undefined {
  try {
    return text === '' ? undefined : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}
