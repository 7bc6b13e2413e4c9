import { constants, type KeyObject, sign, verify } from 'node:crypto'

/** The nine asymmetric JWS algorithms of RFC 7518. Excludes `none` and HMAC. */
export const JWS_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'] as const

export type JwsAlgorithm = (typeof JWS_ALGORITHMS)[number]

export const isJwsAlgorithm = (value: unknown): value is JwsAlgorithm =>
  (JWS_ALGORITHMS as readonly unknown[]).includes(value)

const CURVES: ReadonlyMap<string, string> = new Map([
  ['ES256', 'P-256'],
  ['ES384', 'P-384'],
  ['ES512', 'P-521'],
  ['EdDSA', 'Ed25519'],
  ['Ed25519', 'Ed25519'],
])

/** The names of the curves in Node. */
const NODE_CURVES: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }

/** Returns the curve of an algorithm's keys, or RSA (RFC 7518 3.1, RFC 8037 3.1); undefined for an unsupported algorithm, such as HS256. */
export const keyTypeOf = (algorithm: string): string | undefined =>
  CURVES.get(algorithm) ?? (isJwsAlgorithm(algorithm) ? 'RSA' : undefined)

/** Returns the hash of the algorithm; null for Ed25519, because EdDSA hashes the input itself. */
const hashOf = (algorithm: string): string | null =>
  keyTypeOf(algorithm) === 'Ed25519' ? null : `sha${algorithm.slice(2)}`

/** Adds the parameters of the algorithm to a key: the PSS salt has the length of the hash, an EC signature is r ‖ s (RFC 7518 3.4, 3.5). */
function withParameters(algorithm: string, key: KeyObject) {
  if (algorithm.startsWith('PS'))
    return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  return algorithm.startsWith('ES') ? { key, dsaEncoding: 'ieee-p1363' as const } : { key }
}

/** Signs the input. Signs with RSA in the thread pool, because RSA takes ten times as long as building the rest of the token. */
export function signJws(algorithm: JwsAlgorithm, privateKey: KeyObject, input: string): Buffer | Promise<Buffer> {
  const key = withParameters(algorithm, privateKey)
  if (algorithm.startsWith('ES')) return sign(hashOf(algorithm), Buffer.from(input), key)
  return new Promise((resolve, reject) =>
    sign(hashOf(algorithm), Buffer.from(input), key, (error, signature) =>
      error ? reject(error) : resolve(signature),
    ),
  )
}

/** Returns whether the signature is valid; false for an unsupported algorithm or a key of another type. Supports Ed25519 too. */
export function verifyJws(algorithm: string, publicKey: KeyObject, input: string, signature: Buffer): boolean {
  if (typeOf(publicKey) !== keyTypeOf(algorithm)) return false
  try {
    return verify(hashOf(algorithm), Buffer.from(input), withParameters(algorithm, publicKey), signature)
  } catch {
    return false
  }
}

/** Returns the curve of a key, or RSA. OpenSSL verifies with the algorithm of the key, not with that of the header. */
function typeOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  if (asymmetricKeyType === 'rsa') return 'RSA'
  return asymmetricKeyType === 'ed25519' ? 'Ed25519' : (NODE_CURVES[asymmetricKeyDetails?.namedCurve ?? ''] ?? 'other')
}
