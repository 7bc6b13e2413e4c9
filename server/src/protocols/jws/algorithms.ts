import { constants, type KeyObject, sign, verify } from 'node:crypto'

/** The nine asymmetric JWS algorithms of RFC 7518. Excludes `none` and HMAC. */
export const JWS_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'] as const

export type JwsAlgorithm = (typeof JWS_ALGORITHMS)[number]

export const isJwsAlgorithm = (value: unknown): value is JwsAlgorithm =>
  (JWS_ALGORITHMS as readonly unknown[]).includes(value)

const hashOf = (algorithm: string): string => `sha${algorithm.slice(2)}`

/** Adds the parameters of the algorithm to a key: the PSS salt has the length of the hash, an EC signature is r ‖ s (RFC 7518 3.4, 3.5). */
function withParameters(algorithm: JwsAlgorithm, key: KeyObject) {
  if (algorithm.startsWith('PS'))
    return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  return algorithm.startsWith('ES') ? { key, dsaEncoding: 'ieee-p1363' as const } : { key }
}

/** Signs the input. Uses another thread for an RSA key, because that takes ten times as long as the rest of a token. */
export function signJws(algorithm: JwsAlgorithm, privateKey: KeyObject, input: string): Buffer | Promise<Buffer> {
  const key = withParameters(algorithm, privateKey)
  if (algorithm.startsWith('ES')) return sign(hashOf(algorithm), Buffer.from(input), key)
  return new Promise((resolve, reject) =>
    sign(hashOf(algorithm), Buffer.from(input), key, (error, signature) =>
      error ? reject(error) : resolve(signature),
    ),
  )
}

export const verifyJws = (algorithm: JwsAlgorithm, publicKey: KeyObject, input: string, signature: Buffer): boolean =>
  verify(hashOf(algorithm), Buffer.from(input), withParameters(algorithm, publicKey), signature)
