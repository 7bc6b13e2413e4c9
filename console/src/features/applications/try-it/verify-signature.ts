import type { Jwt } from './jwt'

export type SignatureVerdict = 'valid' | 'key_missing' | 'algorithm_unknown' | 'signature_wrong'

type Key = JsonWebKey & { kid?: string; use?: string }

interface Algorithm {
  kty: string
  key: RsaHashedImportParams | EcKeyImportParams
  verify: AlgorithmIdentifier | RsaPssParams | EcdsaParams
}

const rsa = (name: string, bits: number): Algorithm => ({
  kty: 'RSA',
  key: { name, hash: `SHA-${bits}` },
  verify: name === 'RSA-PSS' ? { name, saltLength: bits / 8 } : { name },
})
const ec = (namedCurve: string, bits: number): Algorithm => ({
  kty: 'EC',
  key: { name: 'ECDSA', namedCurve },
  verify: { name: 'ECDSA', hash: `SHA-${bits}` },
})

/** The accepted signature algorithms of a JWS (RFC 7518, section 3.1). `none` is rejected. */
const algorithms: Record<string, Algorithm> = {
  RS256: rsa('RSASSA-PKCS1-v1_5', 256),
  RS384: rsa('RSASSA-PKCS1-v1_5', 384),
  RS512: rsa('RSASSA-PKCS1-v1_5', 512),
  PS256: rsa('RSA-PSS', 256),
  PS384: rsa('RSA-PSS', 384),
  PS512: rsa('RSA-PSS', 512),
  ES256: ec('P-256', 256),
  ES384: ec('P-384', 384),
  ES512: ec('P-521', 512),
}

/** Verifies a token with the published keys, as an application does: selects the key by its `kid`, and checks its type. */
export async function verifySignature(jwt: Jwt, keys: Key[]): Promise<SignatureVerdict> {
  const { alg, kid } = jwt.header
  const algorithm = typeof alg === 'string' && Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined
  if (!algorithm) return 'algorithm_unknown'
  const fits = (key: Key) => key.kty === algorithm.kty && (key.use ?? 'sig') === 'sig' && (key.alg ?? alg) === alg
  const key = keys.find((one) => fits(one) && (kid === undefined || one.kid === kid))
  if (!key) return 'key_missing'
  try {
    // Only the members that the algorithm needs: others can prevent the import.
    const { kty, n, e, crv, x, y } = key
    const jwk = Object.fromEntries(Object.entries({ kty, n, e, crv, x, y }).filter(([, value]) => value !== undefined))
    const imported = await crypto.subtle.importKey('jwk', jwk, algorithm.key, false, ['verify'])
    const valid = await crypto.subtle.verify(
      algorithm.verify,
      imported,
      jwt.signature,
      new TextEncoder().encode(jwt.signed),
    )
    return valid ? 'valid' : 'signature_wrong'
  } catch {
    return 'signature_wrong'
  }
}
