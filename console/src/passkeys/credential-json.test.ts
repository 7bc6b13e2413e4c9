import { describe, expect, it } from 'vitest'
import {
  assertionOf,
  attestationOf,
  creationOptions,
  fromBase64url,
  requestOptions,
  toBase64url,
} from './credential-json'

const bytes = (...values: number[]) => Uint8Array.from(values)
const buffer = (...values: number[]) => bytes(...values).buffer

describe('base64url', () => {
  it.each([[[]], [[0]], [[251, 255]], [[1, 2, 3]], [[255, 254, 253, 252]]])('encodes and decodes %j', (values) => {
    const text = toBase64url(bytes(...values))
    expect(text).toMatch(/^[\w-]*$/)
    expect([...fromBase64url(text)]).toEqual(values)
  })
})

describe('request options', () => {
  it('decodes base64url values and keeps all others', () => {
    const options = requestOptions({
      challenge: '-_8',
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [{ id: 'AQI', type: 'public-key', transports: ['internal'] }],
    })
    expect(options).toEqual({
      challenge: bytes(251, 255),
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [{ id: bytes(1, 2), type: 'public-key', transports: ['internal'] }],
    })
  })

  it('omits the list of passkeys if it is empty', () => {
    expect(requestOptions({ challenge: 'AQ' }).allowCredentials).toEqual([])
  })

  it('decodes the user and the existing passkeys of a new one', () => {
    const options = creationOptions({
      challenge: 'AQ',
      rp: { name: 'Keyward' },
      user: { id: 'AgM', name: 'ada@example.com', displayName: 'Ada' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      excludeCredentials: [{ id: 'BA', type: 'public-key' }],
    })
    expect(options.user).toEqual({ id: bytes(2, 3), name: 'ada@example.com', displayName: 'Ada' })
    expect(options.excludeCredentials).toEqual([{ id: bytes(4), type: 'public-key' }])
  })
})

describe('credentials for the service', () => {
  const found = { id: 'AQ', rawId: buffer(1), type: 'public-key' }

  it('accepts the object of a password manager as an assertion', () => {
    const response = { clientDataJSON: buffer(1), authenticatorData: buffer(2), signature: buffer(3), userHandle: null }
    expect(assertionOf({ ...found, response } as unknown as PublicKeyCredential)).toEqual({
      id: 'AQ',
      rawId: 'AQ',
      type: 'public-key',
      response: { clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: 'Aw' },
    })
  })

  it('contains the transports of a new passkey, if known', () => {
    const response = { clientDataJSON: buffer(1), attestationObject: buffer(2) }
    const sent = (more: object) =>
      attestationOf({ ...found, response: { ...response, ...more } } as unknown as PublicKeyCredential).response
    expect(sent({ getTransports: () => ['hybrid', 'internal'] }).transports).toEqual(['hybrid', 'internal'])
    expect(sent({}).transports).toEqual([])
  })
})
