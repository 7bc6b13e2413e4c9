import type { Json } from './json.js'

export interface ScimAnswer {
  status: number
  /** Undefined without a body, and for one that is no JSON. */
  body: Json | undefined
  contentType: string
  location: string | undefined
}

/** One request as a verdict tells of it. */
export interface SentRequest {
  method: string
  /** With its query; relative to the base address. */
  path: string
  body: Json | undefined
  answer: ScimAnswer
  ms: number
}

export interface ScimClient {
  send(method: string, path: string, body?: Json): Promise<ScimAnswer>
}

/** How long a directory waits for an answer before it gives the request up, in milliseconds. */
const PATIENCE = 30_000

/**
 * Sends requests as one vendor does.
 * @param base of a team: `https://id.example.com/scim/v2/acme`
 * @param heard called with each answer
 */
export function createScimClient(
  base: string,
  token: string,
  heard: (request: SentRequest) => void,
  { userAgent, contentType = 'application/scim+json' }: { userAgent: string; contentType?: string },
): ScimClient {
  return {
    async send(method, path, body) {
      const begin = performance.now()
      const response = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/scim+json, application/json',
          'user-agent': userAgent,
          ...(body !== undefined && { 'content-type': contentType }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE),
      })
      const text = await response.text()
      const answer = {
        status: response.status,
        body: parsed(text),
        contentType: response.headers.get('content-type') ?? '',
        location: response.headers.get('location') ?? undefined,
      }
      heard({ method, path, body, answer, ms: performance.now() - begin })
      return answer
    },
  }
}

function parsed(text: string): Json | undefined {
  try {
    return text === '' ? undefined : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}
