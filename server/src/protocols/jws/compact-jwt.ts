import type { KeyObject } from 'node:crypto'
import { isJwsAlgorithm, type JwsAlgorithm, signJws, verifyJws } from './algorithms.js'

/** A compact JWT (RFC 7519) taken apart. Nothing of it is believed before `verifyCompactJwt` has judged it. */
export interface CompactJwt {
  header: Record<string, unknown>
  claims: Record<string, unknown>
  /** What is signed, and the signature. */
  input: string
  signature: Buffer
}

/** A key that may have signed, as the verifier knows it: the token never says which algorithm or key is right. */
export interface VerificationKey {
  kid: string
  algorithm: string
  publicKey: KeyObject
}

const LONGEST = 16_384

/** The parts of a text; undefined when it is no compact JWT. */
export function readCompactJwt(text: string): CompactJwt | undefined {
  const [header, claims, signature, ...rest] = text.split('.')
  if (!header || !claims || !signature || rest.length > 0 || text.length > LONGEST) return undefined
  const parsed = [header, claims].map(objectIn)
  if (!parsed[0] || !parsed[1] || !parsed.every(isPlainText)) return undefined
  // Another spelling of the same bytes is another token: what was revoked by its text must not come back under a new one.
  const bytes = Buffer.from(signature, 'base64url')
  if (bytes.toString('base64url') !== signature) return undefined
  return { header: parsed[0], claims: parsed[1], input: `${header}.${claims}`, signature: bytes }
}

/** Whether no text in it, at any depth, holds U+0000 or half of a surrogate pair, which no issuer writes and no database takes. */
function isPlainText(value: unknown): boolean {
  const open: unknown[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && (next.includes('\0') || !next.isWellFormed())) return false
    if (typeof next === 'object' && next !== null)
      open.push(...Object.keys(next), ...Object.values(next).filter((item) => item !== undefined))
  }
  return true
}

function objectIn(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether one of the keys signed it, by the key's own algorithm and under the key's own id. A header that brings a key, names
 * where one is, or demands extensions is refused (RFC 8725 3.1, 3.10; RFC 7515 4.1.11).
 * @param type the `typ` that it must have, without `application/` (RFC 8725 3.11); null where it is absent or plain `JWT`
 */
export function verifyCompactJwt(jwt: CompactJwt, keys: readonly VerificationKey[], type: string | null): boolean {
  const { header, input, signature } = jwt
  const found = header.typ === undefined ? 'jwt' : String(header.typ).toLowerCase()
  if (found !== (type ?? 'jwt').toLowerCase()) return false
  if (['crit', 'jwk', 'jku', 'x5u', 'x5c'].some((name) => name in header)) return false
  const key = keys.find(({ kid, algorithm }) => kid === header.kid && algorithm === header.alg)
  if (!key || !isJwsAlgorithm(key.algorithm)) return false
  try {
    return verifyJws(key.algorithm, key.publicKey, input, signature)
  } catch {
    return false
  }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A signed compact JWT. */
export async function signCompactJwt(
  header: { typ: string; kid: string; alg: JwsAlgorithm },
  claims: object,
  privateKey: KeyObject,
): Promise<string> {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${(await signJws(header.alg, privateKey, input)).toString('base64url')}`
}
