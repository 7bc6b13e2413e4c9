import { fromBase64url } from './pkce'

/** A decoded JSON Web Token, not verified (RFC 7519, RFC 7515). */
export interface Jwt {
  header: Record<string, unknown>
  payload: Record<string, unknown>
  /** the signed part */
  signed: string
  signature: Uint8Array<ArrayBuffer>
}

function object(part: string): Record<string, unknown> {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64url(part)))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object')
  return value as Record<string, unknown>
}

/** Decodes a signed JWT in compact form; returns null for other strings. */
export function readJwt(token: string): Jwt | null {
  const [header, payload, signature, ...more] = token.split('.')
  if (!header || !payload || !signature || more.length > 0) return null
  try {
    return {
      header: object(header),
      payload: object(payload),
      signed: `${header}.${payload}`,
      signature: fromBase64url(signature),
    }
  } catch {
    return null
  }
}
