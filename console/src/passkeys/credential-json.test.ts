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
  it.each([[[]], [[0]], [[251, 255]], [[1, 2, 3]], [[255, 254, 253, 252]]])('carries %j there and back', (values) => {
    const text = toBase64url(bytes(...values))
    expect(text).toMatch(/^[\w-]*$/)
    expect([...fromBase64url(text)]).toEqual(values)
  })
})

describe('the options of a passkey request', () => {
  it('are as the service gave them, with bytes for what is in base64url', () => {
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

  it('leave the choice to the browser where no passkey is listed', () => {
    expect(requestOptions({ challenge: 'AQ' }).allowCredentials).toEqual([])
  })

  it('for a new one name its user and what is there already in bytes', () => {
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

describe('what the service is sent', () => {
  const found = { id: 'AQ', rawId: buffer(1), type: 'public-key' }

  it('of a proof is also made from an object that a password manager put in place of the browser’s', () => {
    const response = { clientDataJSON: buffer(1), authenticatorData: buffer(2), signature: buffer(3), userHandle: null }
    expect(assertionOf({ ...found, response } as unknown as PublicKeyCredential)).toEqual({
      id: 'AQ',
      rawId: 'AQ',
      type: 'public-key',
      response: { clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: 'Aw' },
    })
  })

  it('of a new passkey names its transports where they are known', () => {
    const response = { clientDataJSON: buffer(1), attestationObject: buffer(2) }
    const sent = (more: object) =>
      attestationOf({ ...found, response: { ...response, ...more } } as unknown as PublicKeyCredential).response
    expect(sent({ getTransports: () => ['hybrid', 'internal'] }).transports).toEqual(['hybrid', 'internal'])
    expect(sent({}).transports).toEqual([])
  })
})
