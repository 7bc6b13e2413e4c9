import { constants, type KeyObject, randomUUID, sign } from 'node:crypto'

/** The value of `client_assertion_type` for JWT client authentication (RFC 7523 2.2). */
export const assertionFields = (assertion: string) => ({
  client_assertion: assertion,
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
})

/** Claims of a valid assertion with a lifetime of a minute. */
export const assertionClaims = (clientId: string, aud: unknown, now: number, change: object = {}) => ({
  iss: clientId,
  sub: clientId,
  aud,
  jti: randomUUID(),
  iat: now,
  exp: now + 60,
  ...change,
})

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Encodes and signs a compact JWT from the given header and claims. */
export function compactJwt(header: object, payload: object, signer: (input: string) => Buffer): string {
  const input = `${part(header)}.${part(payload)}`
  return `${input}.${signer(input).toString('base64url')}`
}

/** Signs with the algorithm of the key. RSA keys use PKCS #1, or PSS on request. */
export const signerOf =
  (key: KeyObject, pss = false) =>
  (input: string): Buffer => {
    if (key.asymmetricKeyType === 'ed25519') return sign(null, Buffer.from(input), key)
    const padding = pss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}
    return sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363', ...padding })
  }

export const publicJwk = (publicKey: KeyObject, kid: string, change: object = {}) => ({
  ...(publicKey.export({ format: 'jwk' }) as object),
  kid,
  ...change,
})
