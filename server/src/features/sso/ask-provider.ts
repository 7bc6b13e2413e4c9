import { findJsonExcess, STANDARD_BODY } from '../../platform/http/body-limits.js'
import type { OutboundAnswer, TeamOutbound } from '../../platform/http/outbound.js'
import { OutboundError } from '../../platform/http/outbound.js'
import { ProviderFault } from './provider-fault.js'

type Request = Parameters<TeamOutbound['send']>[1]

export interface JsonAnswer {
  json: Record<string, unknown>
  headers: OutboundAnswer['headers']
}

/**
 * Asks a provider for a JSON object; an answer of another kind is a fault, whose text is never shown: it may be anybody's.
 * @param id of the check that fails
 * @throws ProviderFault
 */
export async function askProvider(
  outbound: Pick<TeamOutbound, 'send'>,
  id: string,
  url: string,
  request: Request,
): Promise<JsonAnswer> {
  const answer = await outbound
    .send(url, { ...request, headers: { accept: 'application/json', ...request.headers } })
    .catch((error: unknown) => {
      if (error instanceof OutboundError || error instanceof TypeError) throw new ProviderFault(id, error.message)
      throw error
    })
  const { status, headers, body, bytes } = answer
  const json = readObject(body, bytes)
  if (status === 200 && json) return { json, headers }
  if (status >= 300 && status < 400)
    throw new ProviderFault(id, 'It redirects, which is not followed', { found: status })
  // What an OAuth endpoint says of its refusal is made for whoever configures the client (RFC 6749 5.2).
  const error = json && /^[\w-]{1,60}$/.test(String(json.error)) ? `: ${json.error}` : ''
  throw new ProviderFault(id, status === 200 ? 'The answer is no JSON object' : `It answered with an error${error}`, {
    expected: '200',
    found: status,
  })
}

function readObject(body: string, bytes: Uint8Array): Record<string, unknown> | undefined {
  // It is anybody's: deep nesting alone stops the event loop for a second.
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
