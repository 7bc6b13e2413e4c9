import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { describe, expect, it } from 'vitest'
import { type Authenticator, type AuthenticatorOptions, createAuthenticator, type Tamper } from './authenticator.js'

const ORIGIN = 'https://id.example'
const RP_ID = 'id.example'
const ELSEWHERE = Buffer.from('somewhere else').toString('base64url')

/** A relying party that verifies with a third-party library. */
async function register(authenticator: Authenticator, tamper?: Tamper) {
  const options = await generateRegistrationOptions({ rpName: 'Keyward', rpID: RP_ID, userName: 'mara' })
  const response = authenticator.create(options, tamper)
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: options.challenge,
    expectedOrigin: ORIGIN,
    expectedRPID: RP_ID,
  })
  if (!registrationInfo) throw new Error('The registration was not verified')
  return { ...registrationInfo, options, response }
}

type Registered = Awaited<ReturnType<typeof register>>

async function authenticate(authenticator: Authenticator, { credential }: Registered, tamper?: Tamper) {
  const options = await generateAuthenticationOptions({ rpID: RP_ID })
  const response = authenticator.get(options, tamper)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: options.challenge,
    expectedOrigin: ORIGIN,
    expectedRPID: RP_ID,
    credential,
  })
  if (!verified) throw new Error('The signature is invalid')
  credential.counter = authenticationInfo.newCounter
  return { ...authenticationInfo, response }
}

const atHome = (options: AuthenticatorOptions = {}) => createAuthenticator({ origin: ORIGIN, ...options })

describe('the software authenticator', () => {
  it('registers and signs in with the user handle of its credential', async () => {
    const authenticator = atHome()
    const registered = await register(authenticator)
    expect(registered).toMatchObject({ fmt: 'none', userVerified: true, credentialDeviceType: 'singleDevice' })
    const { response, userVerified } = await authenticate(authenticator, registered)
    expect(userVerified).toBe(true)
    expect(response.response.userHandle).toBe(registered.options.user.id)
    expect(response.id).toBe(registered.credential.id)
  })

  it('increments its signature counter, or always sends zero', async () => {
    for (const [counter, expected] of [
      ['grows', [1, 2, 3]],
      ['zero', [0, 0, 0]],
    ] as const) {
      const authenticator = atHome({ counter })
      const registered = await register(authenticator)
      const seen = [registered.credential.counter]
      for (let use = 0; use < 2; use++) seen.push((await authenticate(authenticator, registered)).newCounter)
      expect(seen).toEqual(expected)
    }
  })

  it('sends its model and whether its keys are synchronized', async () => {
    const aaguid = 'ee882879-721c-4913-9775-3dfcce97072a'
    const registered = await register(atHome({ aaguid, backedUp: true }))
    expect(registered).toMatchObject({ aaguid, credentialDeviceType: 'multiDevice', credentialBackedUp: true })
  })

  it('sends no UV flag in both ceremonies if it cannot verify the user', async () => {
    await expect(register(atHome({ userVerification: false }))).rejects.toThrow(/user.*verif/i)
    const authenticator = atHome()
    const registered = await register(authenticator)
    await expect(authenticate(authenticator, registered, { userVerified: false })).rejects.toThrow(/user.*verif/i)
  })

  const tampered: [what: string, tamper: Tamper, rejection: RegExp][] = [
    ['another origin', { origin: 'https://evil.example' }, /origin/i],
    ['the hash of another site', { rpId: 'evil.example' }, /RP ID/i],
    ['another type', { type: 'webauthn.other' }, /type/i],
    ['another challenge', { challenge: ELSEWHERE }, /challenge/i],
    ['the UP flag unset', { userPresent: false }, /present/i],
    ['an ID that differs from the raw ID', { rawId: ELSEWHERE }, /id/i],
  ]
  it.each(tampered)(
    'produces a response with %s that the library rejects in both ceremonies',
    async (_, tamper, rejection) => {
      await expect(register(atHome(), tamper)).rejects.toThrow(rejection)
      const authenticator = atHome()
      const registered = await register(authenticator)
      await expect(authenticate(authenticator, registered, tamper)).rejects.toThrow(rejection)
      await authenticate(authenticator, registered)
    },
  )

  it.each<[what: string, tamper: Tamper, rejection: RegExp]>([
    ['the signature of another key', { signature: 'of another key' }, /signature is invalid/],
    ['a lower counter', { counter: 1 }, /counter/i],
  ])('produces a response with %s that the library rejects', async (_, tamper, rejection) => {
    const authenticator = atHome()
    const registered = await register(authenticator)
    await authenticate(authenticator, registered)
    await expect(authenticate(authenticator, registered, tamper)).rejects.toThrow(rejection)
  })

  // The library checks neither. The caller must find the credential by its ID and verify its user.
  it('sends another user handle or credential ID on request', async () => {
    const authenticator = atHome()
    const registered = await register(authenticator)
    const lies = { userHandle: ELSEWHERE, id: ELSEWHERE, rawId: ELSEWHERE }
    const { response } = await authenticate(authenticator, registered, lies)
    expect(response).toMatchObject({ id: ELSEWHERE, rawId: ELSEWHERE, response: { userHandle: ELSEWHERE } })
  })

  it('rejects an excluded credential, another site and an unknown credential, like a browser', async () => {
    const authenticator = atHome()
    const { options, credential } = await register(authenticator)
    const excludeCredentials = [{ id: credential.id, type: 'public-key' as const }]
    expect(() => authenticator.create({ ...options, excludeCredentials })).toThrow('already')
    expect(() => authenticator.create({ ...options, rp: { name: 'Evil', id: 'evil.example' } })).toThrow('not the site')
    expect(() => authenticator.get({ challenge: ELSEWHERE, rpId: 'evil.example' })).toThrow('not the site')
    const allowCredentials = [{ id: ELSEWHERE, type: 'public-key' as const }]
    expect(() => authenticator.get({ challenge: ELSEWHERE, rpId: RP_ID, allowCredentials })).toThrow('no such')
  })
})
