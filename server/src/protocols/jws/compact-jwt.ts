import type { KeyObject } from 'node:crypto'
import { isJwsAlgorithm, signJws, verifyJws } from './algorithms.js'

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

/** Returns the parameters of a header that name a key, a key URL or a critical extension (RFC 8725 3.10; RFC 7515 4.1.11). */
export const rejectedParametersIn = (header: CompactJwt['header']): string[] =>
  ['crit', 'jwk', 'jku', 'x5u', 'x5c'].filter((name) => name in header)

/**
 * Verifies the signature with the key and algorithm that `kid` names (RFC 8725 3.1), and that no parameter of the header is rejected.
 * @param type the required `typ` without `application/` (RFC 8725 3.11); null accepts `JWT` and an absent `typ`
 */
export function verifyCompactJwt(jwt: CompactJwt, keys: readonly VerificationKey[], type: string | null): boolean {
  const { header, input, signature } = jwt
  const found = header.typ === undefined ? 'jwt' : String(header.typ).toLowerCase()
  if (found !== (type ?? 'jwt').toLowerCase()) return false
  if (rejectedParametersIn(header).length > 0) return false
  const key = keys.find(({ kid, algorithm }) => kid === header.kid && algorithm === header.alg)
  if (!key || !isJwsAlgorithm(key.algorithm)) return false
  return verifyJws(key.algorithm, key.publicKey, input, signature)
}

/** Encodes a header or the claims of a JWT. */
export const encodeJwtPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns a signed compact JWT. */
export async function signCompactJwt(
  typ: string,
  claims: object,
  { kid, algorithm, privateKey }: { kid: string; algorithm: string; privateKey: KeyObject },
): Promise<string> {
  if (!isJwsAlgorithm(algorithm)) throw new Error(`Unsupported algorithm of a signing key: ${algorithm}`)
  const input = `${encodeJwtPart({ typ, kid, alg: algorithm })}.${encodeJwtPart(claims)}`
  return `${input}.${(await signJws(algorithm, privateKey, input)).toString('base64url')}`
}
