import { findJsonExcess, STANDARD_BODY } from '../../../platform/http/body-limits.js'
import type { OutboundResponse, TeamOutbound } from '../../../platform/http/outbound.js'
import { OutboundError } from '../../../platform/http/outbound.js'
import { ProviderError } from '../model/provider-error.js'
import { isWebPage } from '../model/web-page.js'

type Request = Parameters<TeamOutbound['send']>[1]

export interface JsonResponse {
  json: Record<string, unknown>
  headers: OutboundResponse['headers']
}

/**
 * Requests a JSON object from a provider. The body of any other response is never shown: a third party may have written it.
 * @param id the check that fails with the request
 * @throws ProviderError
 */
export async function requestJson(
  outbound: Pick<TeamOutbound, 'send'>,
  id: string,
  url: string,
  request: Request,
): Promise<JsonResponse> {
  const { status, headers, body, bytes } = await outbound
    .send(url, { ...request, headers: { accept: 'application/json', ...request.headers } })
    .catch((error: unknown) => {
      if (error instanceof OutboundError || error instanceof TypeError) throw new ProviderError(id, error.message)
      throw error
    })
  const json = readObject(body, bytes)
  if (status === 200 && json) return { json, headers }
  if (status >= 300 && status < 400)
    throw new ProviderError(id, 'The provider redirects; redirects are not followed', { found: status })
  // An OAuth error code is meant for the administrator of the client (RFC 6749 5.2).
  const error = json && /^[\w-]{1,60}$/.test(String(json.error)) ? `: ${json.error}` : ''
  if (status === 200 && isWebPage(body)) throw new ProviderError(id, 'The URL returned a web page (HTML), not JSON')
  throw new ProviderError(
    id,
    status === 200 ? 'The response is not a JSON object' : `The provider returned an error${error}`,
    {
      expected: '200',
      found: status,
    },
  )
}

function readObject(body: string, bytes: Uint8Array): Record<string, unknown> | undefined {
  // A third party may have written it, and deep nesting alone blocks the event loop for a second.
  if (findJsonExcess(bytes, STANDARD_BODY.values)) return undefined
  if (body.includes('\\u0000') || body.includes('\0') || !body.isWellFormed()) return undefined
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
