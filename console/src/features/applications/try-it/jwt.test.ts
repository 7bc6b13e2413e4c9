import { beforeAll, describe, expect, it } from 'vitest'
import { readJwt } from './jwt'
import { toBase64url } from './pkce'
import { verifySignature } from './verify-signature'

const text = (value: unknown) => toBase64url(new TextEncoder().encode(JSON.stringify(value)))

const ways = {
  RS256: {
    make: {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
    sign: { name: 'RSASSA-PKCS1-v1_5' },
  },
  PS256: {
    make: { name: 'RSA-PSS', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    sign: { name: 'RSA-PSS', saltLength: 32 },
  },
  ES256: {
    make: { name: 'ECDSA', namedCurve: 'P-256' },
    sign: { name: 'ECDSA', hash: 'SHA-256' },
  },
} as const

type Alg = keyof typeof ways
const keys: Record<string, CryptoKeyPair> = {}
const published: (JsonWebKey & { kid: string })[] = []

async function tokenOf(alg: Alg, payload: object = { sub: 'me' }, header: object = {}) {
  const signed = `${text({ alg, kid: alg, ...header })}.${text(payload)}`
  const { privateKey } = keys[alg] as CryptoKeyPair
  const signature = await crypto.subtle.sign(ways[alg].sign, privateKey, new TextEncoder().encode(signed))
  return `${signed}.${toBase64url(new Uint8Array(signature))}`
}

const verdict = (token: string) => {
  const jwt = readJwt(token)
  return jwt ? verifySignature(jwt, published) : 'unread'
}

beforeAll(async () => {
  for (const [alg, { make }] of Object.entries(ways)) {
    const pair = (await crypto.subtle.generateKey(make, true, ['sign', 'verify'])) as CryptoKeyPair
    keys[alg] = pair
    const jwk = await crypto.subtle.exportKey('jwk', pair.publicKey)
    published.push({ ...jwk, kid: alg, alg, use: 'sig' } as JsonWebKey & { kid: string })
  }
})

describe('readJwt', () => {
  it('decodes a token with non-ASCII characters', async () => {
    const jwt = readJwt(await tokenOf('ES256', { sub: 'me', name: 'Zoë 日本' }))
    expect(jwt?.header).toMatchObject({ alg: 'ES256' })
    expect(jwt?.payload).toEqual({ sub: 'me', name: 'Zoë 日本' })
  })

  it.each(['', 'opaque', 'a.b', 'a.b.c', `${text({})}.${text([])}.c`, `${text('x')}.${text({})}.c`, 'a.b.c.d', '..'])(
    'is not read where it is none: %j',
    (token) => {
      expect(readJwt(token)).toBeNull()
    },
  )

  it('rejects a token without a signature', () => {
    expect(readJwt(`${text({ alg: 'none' })}.${text({ sub: 'me' })}.`)).toBeNull()
  })
})

describe('verifySignature', () => {
  it.each(Object.keys(ways) as Alg[])('accepts a %s signature', async (alg) => {
    expect(await verdict(await tokenOf(alg))).toBe('valid')
  })

  it.each(Object.keys(ways) as Alg[])('rejects a %s signature of a changed token', async (alg) => {
    const [header, , signature] = (await tokenOf(alg)).split('.')
    expect(await verdict(`${header}.${text({ sub: 'you' })}.${signature}`)).toBe('signature_wrong')
  })

  it('rejects a key with another ID or type, and a missing key', async () => {
    expect(await verdict(await tokenOf('RS256', {}, { kid: 'other' }))).toBe('key_missing')
    // The classic confusion: the public key of one algorithm under the name of another.
    expect(await verdict(await tokenOf('RS256', {}, { alg: 'ES256', kid: 'RS256' }))).toBe('key_missing')
    expect(await verdict(await tokenOf('RS256', {}, { alg: 'HS256' }))).toBe('algorithm_unknown')
    expect(await verdict(await tokenOf('RS256', {}, { alg: 'none' }))).toBe('algorithm_unknown')
    expect(await verdict(await tokenOf('RS256', {}, { alg: 'constructor' }))).toBe('algorithm_unknown')
  })
})
