import { constants, type KeyObject, sign, verify } from 'node:crypto'

/** The nine asymmetric JWS algorithms of RFC 7518 that a key of ours may have. `none` and the HMAC ones are not among them. */
export const JWS_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'] as const

export type JwsAlgorithm = (typeof JWS_ALGORITHMS)[number]

export const isJwsAlgorithm = (text: unknown): text is JwsAlgorithm =>
  (JWS_ALGORITHMS as readonly unknown[]).includes(text)

const hashOf = (algorithm: string): string => `sha${algorithm.slice(2)}`

/** The key with the parameters of its algorithm: the salt of PSS is as long as the hash, an EC signature is r ‖ s (RFC 7518 3.4, 3.5). */
function withParameters(algorithm: JwsAlgorithm, key: KeyObject) {
  if (algorithm.startsWith('PS'))
    return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  return algorithm.startsWith('ES') ? { key, dsaEncoding: 'ieee-p1363' as const } : { key }
}

/** Signs; with an RSA key on another thread, because that takes ten times as long as everything else of a token. */
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
