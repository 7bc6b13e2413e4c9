import type { KeyObject } from 'node:crypto'
import { isJwsAlgorithm, type JwsAlgorithm, signJws, verifyJws } from './algorithms.js'

/** A parsed compact JWT (RFC 7519). Do not trust it before `verifyCompactJwt`. */
export interface CompactJwt {
  header: Record<string, unknown>
  claims: Record<string, unknown>
  /** The signing input, and the signature. */
  input: string
  signature: Buffer
}

/** A key of the verifier. The key, not the token, determines the algorithm. */
export interface VerificationKey {
  kid: string
  algorithm: string
  publicKey: KeyObject
}

const MAX_LENGTH = 16_384

/** Parses a compact JWT without verifying it; returns undefined if it is malformed. */
export function readCompactJwt(text: string): CompactJwt | undefined {
  const [header, claims, signature, ...rest] = text.split('.')
  if (!header || !claims || !signature || rest.length > 0 || text.length > MAX_LENGTH) return undefined
  const parsed = [header, claims].map(parseObject)
  if (!parsed[0] || !parsed[1] || !parsed.every(isStorable)) return undefined
  // Accept only the canonical encoding: otherwise a token that was revoked by its string could be sent in another spelling.
  const bytes = Buffer.from(signature, 'base64url')
  if (bytes.toString('base64url') !== signature) return undefined
  return { header: parsed[0], claims: parsed[1], input: `${header}.${claims}`, signature: bytes }
}

/** Returns whether no string, at any depth, contains U+0000 or half of a surrogate pair, which the database cannot store. */
function isStorable(value: unknown): boolean {
  const open: unknown[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && (next.includes('\0') || !next.isWellFormed())) return false
    if (typeof next === 'object' && next !== null)
      open.push(...Object.keys(next), ...Object.values(next).filter((item) => item !== undefined))
  }
  return true
}

function parseObject(part: string): Record<string, unknown> | undefined {
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
 * Verifies the signature with the key and algorithm that `kid` names. Rejects a header that contains a key, a key URL or a critical
 * extension (RFC 8725 3.1, 3.10; RFC 7515 4.1.11).
 * @param type the required `typ` without `application/` (RFC 8725 3.11); null accepts `JWT` and an absent `typ`
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

/** Returns a signed compact JWT. */
export async function signCompactJwt(
  header: { typ: string; kid: string; alg: JwsAlgorithm },
  claims: object,
  privateKey: KeyObject,
): Promise<string> {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${(await signJws(header.alg, privateKey, input)).toString('base64url')}`
}
