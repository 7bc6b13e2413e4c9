import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { JWS_ALGORITHMS, signJws, verifyJws } from './algorithms.js'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' })
const ed25519 = generateKeyPairSync('ed25519')
const PAIRS = { RS: rsa, PS: rsa, ES256: p256, ES384: p384, ES512: p521 }

const pairOf = (algorithm: string) => PAIRS[(algorithm.startsWith('ES') ? algorithm : algorithm.slice(0, 2)) as 'RS']

describe('verifyJws', () => {
  it.each(JWS_ALGORITHMS)('accepts a signature with %s by its own key only', async (algorithm) => {
    const { privateKey, publicKey } = pairOf(algorithm)
    const signature = await signJws(algorithm, privateKey, 'input')
    expect(verifyJws(algorithm, publicKey, 'input', signature)).toBe(true)
    expect(verifyJws(algorithm, publicKey, 'other', signature)).toBe(false)
    for (const other of [rsa, p256, p384, p521, ed25519])
      if (other.publicKey !== publicKey) expect(verifyJws(algorithm, other.publicKey, 'input', signature)).toBe(false)
  })

  it('rejects keys of another type than that of the algorithm', () => {
    const input = Buffer.from('input')
    const der = sign('sha256', input, p256.privateKey)
    expect(verifyJws('RS256', p256.publicKey, 'input', der)).toBe(false)
    const pkcs1 = sign('sha256', input, rsa.privateKey)
    expect(verifyJws('ES256', rsa.publicKey, 'input', pkcs1)).toBe(false)
    const onLargerCurve = sign('sha256', input, { key: p384.privateKey, dsaEncoding: 'ieee-p1363' })
    expect(verifyJws('ES256', p384.publicKey, 'input', onLargerCurve)).toBe(false)
  })

  it.each(['EdDSA', 'Ed25519'])('accepts %s', (algorithm) => {
    const signature = sign(null, Buffer.from('input'), ed25519.privateKey)
    expect(verifyJws(algorithm, ed25519.publicKey, 'input', signature)).toBe(true)
  })

  it.each(['none', 'HS256', 'constructor', ''])('rejects the algorithm %j', (algorithm) => {
    expect(verifyJws(algorithm, rsa.publicKey, 'input', sign('sha256', Buffer.from('input'), rsa.privateKey))).toBe(
      false,
    )
  })
})
