import { afterAll, describe, expect, it } from 'vitest'
import {
  addUser,
  expectError,
  mailedToken,
  newEmail,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { type Directory, makeDirectory } from '../../../../test/factories/scim.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
afterAll(() => service.close())

const newDomain = () => `${newEmail('company').split('@')[0]}.example`

/** Makes the team the home team of a domain, as a verified DNS record does. */
const verifyDomain = (teamId: string, domain: string) =>
  service.sql(
    `INSERT INTO team_domains (organization_id, domain, token, verified_at, created_at) VALUES ($1, $2, 'x', now(), now())`,
    [teamId, domain],
  )

async function company(...domains: string[]): Promise<TestUser> {
  const owner = await registerUser(service)
  for (const domain of domains) await verifyDomain(owner.teamId, domain)
  return owner
}

const rename = (scim: Directory, id: string, userName: string) =>
  scim.patch(`/Users/${id}`, [{ op: 'replace', value: { userName } }])

async function verified(email: string) {
  const token = await requestToken(service, 'magic_link', email)
  const { status, body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const accountOf = async (id: string) =>
  (await service.sql('SELECT email, email_verified_at, epoch FROM users WHERE id = $1', [id]))[0]

describe('PATCH /scim/v2/Users/{id} with another userName', () => {
  it('ends every session and increments the epoch of an unverified account that the team inserted', async () => {
    const owner = await company()
    const scim = await makeDirectory(service, owner)
    const before = newEmail('own')
    const user = await scim.makeUser({ userName: before })
    const session = await service.sql(
      `INSERT INTO sessions (id, user_id, organization_id, method, amr, remember, authenticated_at, last_seen_at, expires_at, created_at)
       VALUES (gen_random_uuid(), $1, $2, 'password', '{pwd}', false, now(), now(), now() + interval '1 day', now()) RETURNING id`,
      [user.id, owner.teamId],
    )
    const to = newEmail('victim')
    expect((await rename(scim, user.id, to)).status).toBe(200)
    expect(await accountOf(user.id)).toMatchObject({ email: to, email_verified_at: null, epoch: 1 })
    expect(
      await service.sql('SELECT ended_at IS NOT NULL AS ended FROM sessions WHERE id = $1', [session[0]?.id]),
    ).toEqual([{ ended: true }])
    expect((await service.mails(before)).map(({ kind }) => kind)).toContain('address_given')
  })

  it('rejects the change once another team has added the account', async () => {
    const [owner, other] = [await company(), await company()]
    const scim = await makeDirectory(service, owner)
    const user = await scim.makeUser({ userName: newEmail() })
    await addUser(service, other, { email: user.userName })
    const rejected = await rename(scim, user.id, newEmail())
    expect([rejected.status, rejected.body.scimType]).toEqual([400, 'mutability'])
  })

  it('rejects the change once the owner has verified the email address', async () => {
    const owner = await company()
    const scim = await makeDirectory(service, owner)
    const user = await scim.makeUser({ userName: newEmail() })
    await verified(user.userName)
    const rejected = await rename(scim, user.id, newEmail('mailbox'))
    expect([rejected.status, rejected.body.scimType]).toEqual([400, 'mutability'])
    expect(await accountOf(user.id)).toMatchObject({ email: user.userName })
  })

  it('revokes nothing and keeps the address verified between two domains of the home team', async () => {
    const [from, to] = [newDomain(), newDomain()]
    const owner = await company(from, to)
    const scim = await makeDirectory(service, owner)
    const email = `ada@${from}`
    const user = await scim.makeUser({ userName: email })
    const { accessToken } = await verified(email)
    const before = await accountOf(user.id)
    expect((await rename(scim, user.id, `ada@${to}`)).status).toBe(200)
    expect(await accountOf(user.id)).toEqual({ ...before, email: `ada@${to}` })
    expect((await service.api('GET', '/api/v1/auth/me', { token: accessToken })).status).toBe(200)
    // It has no such authority outside its own domains.
    const rejected = await rename(scim, user.id, newEmail())
    expect([rejected.status, rejected.body.scimType]).toEqual([400, 'mutability'])
  })

  it('removes unconfirmed memberships of other teams when the home team renames', async () => {
    const domain = newDomain()
    const [owner, other] = [await company(domain), await company()]
    const scim = await makeDirectory(service, owner)
    const email = `eve@${domain}`
    const user = await scim.makeUser({ userName: email })
    await addUser(service, other, { email })
    await verified(email)
    expect((await rename(scim, user.id, `adam@${domain}`)).status).toBe(200)
    const { status } = await service.api('GET', `/api/v1/users/${user.id}`, { token: other.token })
    expect(status).toBe(404)
    const { body } = await service.api('GET', '/api/v1/audit/logs', { token: other.token })
    expect(body.data[0]).toMatchObject({ action: 'member.removed', ipAddress: null, userAgent: null })
    expect(body.data[0].metadata).not.toHaveProperty('token')
  })
})

describe('the home team', () => {
  it('returns managed: true and confirms the membership without an act of the user', async () => {
    const domain = newDomain()
    const [owner, other] = [await company(domain), await company()]
    const user = await addUser(service, owner, { email: `kim@${domain}` })
    expect(user.managed).toBe(true)
    expect((await addUser(service, other, { email: `kim@${domain}` })).managed).toBe(false)
    // Two teams added the address; the home team is the default.
    const body = await verified(user.email)
    expect(body.team.id).toBe(owner.teamId)
  })

  it('deletes a verified or unverified account that belongs to no other team', async () => {
    const domain = newDomain()
    const [owner, other] = [await company(domain), await company()]
    const remove = async (id: string) =>
      (await service.api('DELETE', `/api/v1/users/${id}`, { token: owner.token })).status
    const exists = async (id: string) => (await accountOf(id)) !== undefined
    const one = await addUser(service, owner, { email: `one@${domain}` })
    await verified(one.email)
    expect(await remove(one.id)).toBe(200)
    expect(await exists(one.id)).toBe(false)
    const two = await addUser(service, owner, { email: `two@${domain}` })
    await addUser(service, other, { email: two.email })
    expect(await remove(two.id)).toBe(200)
    expect(await exists(two.id)).toBe(true)
  })
})

describe('a team that inserted an account', () => {
  it('keeps the account on removal once the owner has verified the email address', async () => {
    const owner = await company()
    const user = await addUser(service, owner, { email: newEmail() })
    await verified(user.email)
    await service.api('DELETE', `/api/v1/users/${user.id}`, { token: owner.token })
    expect(await accountOf(user.id)).toMatchObject({ email: user.email })
  })

  it('suspends only its own membership: the owner signs in by a mailed link and can join another team', async () => {
    const [owner, other] = [await company(), await company()]
    const scim = await makeDirectory(service, owner)
    const email = newEmail('victim')
    await scim.makeUser({ userName: email, active: false })
    const body = await verified(email)
    expect([owner.teamId, other.teamId]).not.toContain(body.team.id)
    expect(body.rejectedTeams).toEqual([{ id: owner.teamId, name: expect.any(String), reason: 'membership_suspended' }])
    await addUser(service, other, { email })
    const token = await mailedToken(service, 'welcome', email)
    expect((await service.api('POST', '/api/v1/auth/verify', { body: { token } })).body.team.id).toBe(other.teamId)
    expectError(
      await service.api('POST', '/api/v1/auth/switch-team', {
        token: body.accessToken,
        body: { teamId: owner.teamId },
      }),
      403,
      'not_a_member',
    )
  })
})
