import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectRefusal,
  expectSession,
  joinTeam,
  logIn,
  mailedToken,
  newEmail,
  PASSWORD,
  proveAddress,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../test/factories.js'
import { certifiedKey } from '../../../test/metadata-server.js'
import { startService, type TestService } from '../../../test/service.js'

const OWNERS = 'the password of the owner'

describe('an account that a stranger registered with the address of its owner', () => {
  let service: TestService
  let attacker: TestUser
  let second: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const post = (path: string, body: object, token?: string) =>
    service.api('POST', `/api/v1/auth/${path}`, { body, token })
  const byLink = async (token?: string) =>
    post('verify', { token: await requestToken(service, 'magic_link', attacker.email) }, token)
  const byReset = async () =>
    post('reset-password', {
      token: await requestToken(service, 'password_reset', attacker.email),
      newPassword: OWNERS,
    })

  /** The stranger registers the address and signs in twice; the owner knows nothing of it. */
  async function plant(): Promise<void> {
    attacker = await registerUser(service, { email: newEmail('victim') })
    second = await logIn(service, attacker)
  }

  async function expectShutOut(): Promise<void> {
    for (const { token, refreshToken } of [attacker, second]) {
      await expectSession(service, token, 'ended')
      expectRefusal(await post('refresh', { refreshToken }), 401, 'invalid_refresh_token')
    }
    expectRefusal(await post('login', { email: attacker.email, password: PASSWORD }), 401, 'invalid_credentials')
  }

  it('belongs to the owner alone once they sign in by link, and the answer says what was removed', async () => {
    await plant()
    const { status, body } = await byLink()
    expect(status).toBe(200)
    expect(body.cleaned).toEqual({
      passwordRemoved: true,
      sessionsEnded: 2,
      teamsSetAside: 0,
      passkeySignInEnded: 0,
      disownToken: expect.stringMatching(/^[\w-]{43}$/),
    })
    await expectShutOut()
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: body.accessToken })
    expect(me).toMatchObject({ emailVerified: true, hasPassword: false, session: { method: 'magic_link' } })
    expect((await byLink()).body).not.toHaveProperty('cleaned')
  })

  it('is written by no directory, and signed in by no provider, that the stranger left there', async () => {
    await plant()
    const { token } = attacker
    const { certificate: samlCertificate } = certifiedKey('stranger')
    const made = async (path: string, body: object) => {
      const answer = await service.api('POST', `/api/v1/${path}`, { token, body })
      expect(answer.status, answer.text).toBe(201)
      return answer.body
    }
    const scim = await made('directory/scim/token', {})
    const provider = await made('sso/providers', {
      name: 'Left behind',
      type: 'GENERIC_SAML',
      protocol: 'SAML2',
      samlEntityId: 'urn:stranger',
      samlSsoUrl: 'https://login.example/sso',
      samlCertificate,
    })
    await made('directory/ldap/config', {
      url: 'ldap://127.0.0.1:9',
      baseDn: 'dc=x',
      bindDn: 'cn=x',
      bindPassword: 'x',
    })
    const users = () => service.api('GET', `/scim/v2/${attacker.teamId}/Users`, { token: scim.token })
    expect((await users()).status).toBe(200)

    const { body } = await byLink()
    expect((await users()).status).toBe(401)
    const asOwner = (path: string) => service.api('POST', `/api/v1/${path}`, { token: body.accessToken, body: {} })
    const { checks } = (await asOwner(`sso/providers/${provider.id}/test`)).body
    expect(checks).toContainEqual(expect.objectContaining({ id: 'saved_by', status: 'failed' }))
    expect((await asOwner('directory/ldap/sync')).text).toContain('directory_orphaned')
  })

  it('belongs to the owner alone once they set a password by mail, and the answer says what was removed', async () => {
    await plant()
    const { status, body } = await byReset()
    expect(status).toBe(200)
    await expectShutOut()
    const owner = await logIn(service, { email: attacker.email, password: OWNERS })
    await expectSession(service, owner.token, 'alive')
    expect(body.cleaned).toEqual({
      passwordRemoved: true,
      sessionsEnded: 2,
      teamsSetAside: 0,
      passkeySignInEnded: 0,
      disownToken: expect.any(String),
    })
    expect((await post('disown', { token: body.cleaned.disownToken })).status).toBe(200)
    await expectSession(service, owner.token, 'ended')
  })

  it('can be deleted by its owner, which frees the address and takes its team and the records of it along', async () => {
    await plant()
    const { body } = await byLink()
    const token = body.cleaned.disownToken
    expect((await post('disown', { token })).status).toBe(200)
    await expectSession(service, body.accessToken, 'ended')
    expectRefusal(await post('disown', { token }), 400, 'invalid_token')

    const left = await service.sql<{ action: string; team: string | null }>(
      'SELECT action, team_id AS team FROM audit_entries WHERE user_id = $1 OR resource IN ($2, $3) ORDER BY action',
      [attacker.id, `user:${attacker.id}`, `organization:${attacker.teamId}`],
    )
    const record = ['organization.audit_removed', 'organization.deleted', 'user.deleted', 'user.disowned']
    expect(left).toEqual(record.map((action) => ({ action, team: null })))
    expect(await service.sql('SELECT 1 FROM organizations WHERE id = $1', [attacker.teamId])).toEqual([])

    const again = await registerUser(service, { email: attacker.email })
    expect(again.id).not.toBe(attacker.id)
    expect(again.teamId).not.toBe(attacker.teamId)
  })

  it('can be deleted by the mail that asks to confirm the address, without a sign-in', async () => {
    await plant()
    const token = await mailedToken(service, 'verify_email', attacker.email)
    expect((await post('disown', { token })).status).toBe(200)
    for (const session of [attacker, second]) await expectSession(service, session.token, 'ended')
    await registerUser(service, { email: attacker.email })
  })

  it('once proven, can no longer be deleted by that mail', async () => {
    await plant()
    const token = await mailedToken(service, 'verify_email', attacker.email)
    await byLink()
    expectRefusal(await post('disown', { token }), 400, 'invalid_token')
  })

  it('when deleted, leaves teams that others are in', async () => {
    await plant()
    const other = await registerUser(service)
    await joinTeam(service, other, attacker.teamId)
    await joinTeam(service, attacker, other.teamId)
    await post('disown', { token: await mailedToken(service, 'verify_email', attacker.email) })
    const { body } = await service.api('GET', '/api/v1/organizations', { token: other.token })
    expect(body.data.map(({ id }: { id: string }) => id).sort()).toEqual([attacker.teamId, other.teamId].sort())
  })

  it('loses nothing when the account itself proves its address', async () => {
    await plant()
    await proveAddress(service, attacker)
    for (const { token } of [attacker, second]) await expectSession(service, token, 'alive')
    await logIn(service, attacker)
    const { body } = await service.api('GET', '/api/v1/auth/me', { token: attacker.token })
    expect(body.emailVerified).toBe(true)
  })

  it('loses nothing when its own session opens the link', async () => {
    await plant()
    const { status, body } = await byLink(attacker.token)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('cleaned')
    await expectSession(service, second.token, 'alive')
    await logIn(service, attacker)
  })

  it('is not spared by the session of somebody else, nor by one that has ended', async () => {
    for (const state of ['foreign', 'ended']) {
      await plant()
      const other = state === 'foreign' ? await registerUser(service) : second
      if (state === 'ended') await service.api('POST', '/api/v1/auth/logout', { token: second.token })
      expect((await byLink(other.token)).body.cleaned).toMatchObject({ passwordRemoved: true })
      await expectSession(service, attacker.token, 'ended')
    }
  })

  it('is proven by its own session alone: another one, or none, is refused and uses nothing up', async () => {
    await plant()
    const stranger = await registerUser(service)
    const body = { token: await mailedToken(service, 'verify_email', attacker.email) }
    expectRefusal(await post('verify-email', body), 401, 'unauthorized')
    expectRefusal(await post('verify-email', body, stranger.token), 403, 'wrong_account')
    expect((await post('verify-email', body, attacker.token)).status).toBe(200)
    expectRefusal(await post('verify-email', body, attacker.token), 400, 'invalid_token')
  })

  it('gets no further mail once it is proven', async () => {
    await plant()
    await proveAddress(service, attacker)
    const before = (await service.mails(attacker.email)).length
    expect((await post('verify-email/resend', {}, attacker.token)).status).toBe(200)
    expect(await service.mails(attacker.email)).toHaveLength(before)
  })

  it('is not deleted while a team with other members would lose its last administrator', async () => {
    await plant()
    const member = await registerUser(service)
    await joinTeam(service, member, attacker.teamId)
    const body = { token: await mailedToken(service, 'verify_email', attacker.email) }
    expectRefusal(await post('disown', body), 409, 'last_admin')
    await service.sql("UPDATE memberships SET role = 'OWNER' WHERE user_id = $1", [member.id])
    expect((await post('disown', body)).status).toBe(200)
    expect((await service.api('GET', `/api/v1/organizations/${attacker.teamId}`, { token: member.token })).status).toBe(
      200,
    )
  })
})
