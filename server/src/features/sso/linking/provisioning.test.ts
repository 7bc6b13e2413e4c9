import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { registerApp, tokensFor, userinfo } from '../../../../test/doubles/relying-party.js'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import {
  addColleague,
  addUser,
  joinTeam,
  logIn,
  makeGroup,
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { addProvider, changeProvider, fetchMe, oidcProvider, signInBy } from '../../../../test/factories/sso.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const { api } = service
beforeEach(() => {
  provider.script = {}
})

async function team(fields: Record<string, unknown> = {}): Promise<{ owner: TestUser; id: string }> {
  const owner = await registerUser(service)
  return { owner, id: (await addProvider(service, owner, oidcProvider(provider, fields))).id }
}

const claimsOf = (email: string, more: Record<string, unknown> = {}) => ({
  sub: `sub-${newEmail()}`,
  email,
  email_verified: true,
  given_name: 'Ada',
  family_name: 'Lovelace',
  ...more,
})

/** Expects that the sign-ins fail with this error, are recorded, and create or link nothing. */
async function expectAllRejected(id: string, claims: Record<string, unknown>[], error: string): Promise<void> {
  const { sso_sign_ins: earlier, ...before } = await dumpState(service)
  for (const one of claims) expect(await signInBy(service, id, provider, one)).toMatchObject({ error })
  const { sso_sign_ins: recorded, ...after } = await dumpState(service)
  expect(after).toEqual(before)
  const known = new Set(earlier)
  const added = recorded?.filter((row) => !known.has(row) && row.includes(id) && row.includes(error))
  expect(added).toHaveLength(claims.length)
}
const expectRejected = (id: string, claims: Record<string, unknown>, error: string) =>
  expectAllRejected(id, [claims], error)

const signsIn = async (id: string, claims: Record<string, unknown>) => {
  const result = await signInBy(service, id, provider, claims)
  expect(result).toHaveProperty('token')
  return fetchMe(service, result.token)
}

describe('the user of a sign-in', () => {
  it('links a member of the team by a verified email address', async () => {
    const { owner, id } = await team()
    const member = await addColleague(service, owner)
    expect((await signsIn(id, claimsOf(member.email.toUpperCase()))).user.id).toBe(member.id)
  })

  it.each([true, 'true', 'TRUE', 1, '1'])('links by the email address if email_verified is %j', async (flag) => {
    const { owner, id } = await team()
    const member = await addColleague(service, owner)
    expect((await signsIn(id, claimsOf(member.email, { email_verified: flag }))).user.id).toBe(member.id)
  })

  it.each([false, 'false', 'False', 0, '0', 'no', '', null, [], {}, 'yes'])(
    'rejects email_verified %j, with trustsEmail or without, for linked and new users',
    async (flag) => {
      const { owner, id } = await team({ autoProvision: true })
      const member = await addColleague(service, owner)
      const both = [member.email, newEmail()].map((email) => claimsOf(email, { email_verified: flag }))
      await expectAllRejected(id, both, 'sso_email_unverified')
      await changeProvider(service, owner, id, { trustsEmail: true })
      await expectRejected(id, claimsOf(member.email, { email_verified: flag }), 'sso_email_unverified')
    },
  )

  it('links without email_verified only if the provider is trusted', async () => {
    const { owner, id } = await team({ autoProvision: true })
    const member = await addColleague(service, owner)
    const claims = claimsOf(member.email, { email_verified: undefined })
    await expectRejected(id, claims, 'sso_email_unverified')
    await changeProvider(service, owner, id, { trustsEmail: true })
    expect((await signsIn(id, claims)).user.id).toBe(member.id)
  })

  it('ignores email_verified for an email address from another attribute', async () => {
    const { owner, id } = await team({ attributeMapping: { upn: 'email' } })
    const member = await addColleague(service, owner)
    await expectRejected(id, claimsOf(newEmail(), { upn: member.email }), 'sso_email_unverified')
  })

  it('ignores email_verified of the ID token for the address of userinfo', async () => {
    const { owner, id } = await team()
    const member = await addColleague(service, owner)
    provider.script.userinfo = { email: member.email }
    await expectRejected(id, claimsOf(member.email, { email: undefined, email_verified: true }), 'sso_email_unverified')
  })

  it('rejects the first sign-in without an email address', async () => {
    const { id } = await team({ autoProvision: true })
    await expectRejected(id, claimsOf(newEmail(), { email: undefined }), 'sso_email_missing')
    await expectRejected(id, claimsOf(newEmail(), { email: 'no address' }), 'sso_email_missing')
  })

  it('creates an account only if the provider may', async () => {
    const { owner, id } = await team()
    const claims = claimsOf(newEmail())
    await expectRejected(id, claims, 'sso_not_provisioned')
    await changeProvider(service, owner, id, { autoProvision: true })
    const { user, team: opened } = await signsIn(id, claims)
    expect(user).toMatchObject({ email: claims.email, firstName: 'Ada', lastName: 'Lovelace' })
    expect([opened.id, opened.role]).toEqual([owner.teamId, 'MEMBER'])
  })

  it('creates an account with an unverified email address, in spite of email_verified', async () => {
    const { id } = await team({ autoProvision: true })
    for (const flag of [true, undefined]) {
      const { user } = await signsIn(id, claimsOf(newEmail(), { email_verified: flag }))
      const [row] = await service.sql('SELECT email_verified_at FROM users WHERE id = $1', [user.id])
      expect(row?.email_verified_at).toBeNull()
    }
  })

  it('adds an existing account only by a domain that the provider lists', async () => {
    const elsewhere = await registerUser(service)
    const { owner, id } = await team()
    const claims = claimsOf(elsewhere.email)
    await expectRejected(id, claims, 'sso_not_provisioned')
    await changeProvider(service, owner, id, { autoProvision: true })
    await expectRejected(id, claims, 'sso_not_provisioned')
    await changeProvider(service, owner, id, { allowedDomains: ['other.example'] })
    await expectRejected(id, claims, 'sso_domain_not_allowed')
    await changeProvider(service, owner, id, { allowedDomains: ['other.example', 'example.com'], autoProvision: false })
    await expectRejected(id, claims, 'sso_not_provisioned')
    await changeProvider(service, owner, id, { autoProvision: true })
    await expectRejected(id, { ...claims, email_verified: undefined }, 'sso_email_unverified')
    const joined = await signsIn(id, claims)
    expect([joined.user.id, joined.team.id]).toEqual([elsewhere.id, owner.teamId])
  })

  it('rejects a domain that is not listed, also for known users', async () => {
    const { owner, id } = await team()
    const member = await addColleague(service, owner)
    const claims = claimsOf(member.email)
    await signsIn(id, claims)
    await changeProvider(service, owner, id, { allowedDomains: ['other.example'] })
    await expectRejected(id, claims, 'sso_domain_not_allowed')
    await expectRejected(id, { ...claims, email: undefined }, 'sso_domain_not_allowed')
    await expectRejected(id, claimsOf('a@sub.other.example'), 'sso_domain_not_allowed')
  })

  it('gives the owner of an email address access to that team, but not an earlier registrant of it', async () => {
    const attacker = await registerUser(service)
    const { owner, id } = await team({ autoProvision: true, allowedDomains: ['example.com'] })
    const victim = await signsIn(id, claimsOf(attacker.email))
    expect([victim.user.id, victim.team.id]).toEqual([attacker.id, owner.teamId])
    const again = await logIn(service, attacker)
    expect(again.teamId).toBe(attacker.teamId)
    for (const path of [`/api/v1/organizations/${owner.teamId}`, '/api/v1/auth/me']) {
      const { status } = await api('GET', path, { token: again.token, headers: { 'x-org-id': owner.teamId } })
      expect([403, 404]).toContain(status)
    }
    const switched = await api('POST', '/api/v1/auth/switch-team', {
      token: again.token,
      body: { teamId: owner.teamId },
    })
    expect(switched.status).toBe(403)
  })

  it('lets the owner read the team and its applications in that session, in spite of an earlier registrant', async () => {
    const elsewhere = await registerUser(service)
    const { owner, id } = await team()
    const app = await registerApp(service, owner)
    await joinTeam(service, elsewhere, owner.teamId, { counts: false })
    const { token = '' } = await signInBy(service, id, provider, claimsOf(elsewhere.email))
    const idsOf = async (path: string, as: string) =>
      (await api('GET', path, { token: as })).body.data.map((one: { id: string }) => one.id)
    expect(await idsOf('/api/v1/organizations', token)).toEqual([owner.teamId])
    expect(await idsOf('/api/v1/auth/applications', token)).toEqual([app.id])
    const { access_token } = await tokensFor(service, app, { token })
    expect((await userinfo(service, app, access_token)).body.sub).toBe(elsewhere.id)
    const own = await logIn(service, elsewhere)
    expect(await idsOf('/api/v1/organizations', own.token)).toEqual([elsewhere.teamId])
    expect(await idsOf('/api/v1/auth/applications', own.token)).toEqual([])
  })

  it('keeps the default team and confirms no membership', async () => {
    const elsewhere = await registerUser(service)
    await service.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [elsewhere.id])
    const { owner, id } = await team()
    await joinTeam(service, elsewhere, owner.teamId, { counts: false })
    await signsIn(id, claimsOf(elsewhere.email))
    expect((await logIn(service, elsewhere)).teamId).toBe(elsewhere.teamId)
    const [membership] = await service.sql(
      'SELECT counts FROM memberships WHERE user_id = $1 AND organization_id = $2',
      [elsewhere.id, owner.teamId],
    )
    expect(membership?.counts).toBe(false)
  })

  it('remembers no browser of a restricted sign-in', async () => {
    const elsewhere = await registerUser(service)
    const { owner, id } = await team({ autoProvision: true })
    await joinTeam(service, elsewhere, owner.teamId, { counts: false })
    const known = async (userId: string) =>
      (await service.sql('SELECT 1 FROM known_devices WHERE user_id = $1', [userId])).length
    await signsIn(id, claimsOf(elsewhere.email))
    expect(await known(elsewhere.id)).toBe(0)
    const { user } = await signsIn(id, claimsOf(newEmail()))
    expect(await known(user.id)).toBe(0)
  })

  it('keeps the seats of the team within its limit', async () => {
    const { owner, id } = await team({ autoProvision: true })
    await service.sql('UPDATE organizations SET max_members = 1 WHERE id = $1', [owner.teamId])
    await expectRejected(id, claimsOf(newEmail()), 'limit_reached')
  })

  it('rejects a suspended member and activates a pending one', async () => {
    const { owner, id } = await team()
    const member = await addColleague(service, owner)
    const claims = claimsOf(member.email)
    await signsIn(id, claims)
    const suspend = (status: string) =>
      api('PUT', `/api/v1/users/${member.id}`, { token: owner.token, body: { status } })
    await suspend('suspended')
    await expectRejected(id, claims, 'sso_member_suspended')
    await expectRejected(id, claimsOf(member.email), 'sso_member_suspended')
    await suspend('active')
    await signsIn(id, claims)
    const waiting = await addUser(service, owner)
    expect(waiting.status).toBe('pending')
    await signsIn(id, claimsOf(waiting.email))
    const { body } = await api('GET', `/api/v1/users/${waiting.id}`, { token: owner.token })
    expect(body.status).toBe('active')
  })

  it('rejects a user whom the team has removed until an administrator adds them again', async () => {
    const { owner, id } = await team()
    const elsewhere = await registerUser(service)
    await joinTeam(service, elsewhere, owner.teamId)
    const claims = claimsOf(elsewhere.email)
    await signsIn(id, claims)
    await api('DELETE', `/api/v1/users/${elsewhere.id}`, { token: owner.token })
    await expectRejected(id, claims, 'sso_not_provisioned')
    await changeProvider(service, owner, id, { autoProvision: true, allowedDomains: ['example.com'] })
    await expectRejected(id, claims, 'sso_not_provisioned')
    await addUser(service, owner, { email: elsewhere.email })
    expect((await signsIn(id, claims)).user.id).toBe(elsewhere.id)
  })

  it('rejects a member with more permissions than the last editor until a privileged editor saves the provider', async () => {
    const { owner, id } = await team()
    const admin = await addColleague(service, owner, 'admin')
    const claims = claimsOf(owner.email)
    await changeProvider(service, admin, id, { trustsMfa: true })
    await expectRejected(id, claims, 'role_protected')
    await changeProvider(service, owner, id, { trustsMfa: false })
    expect((await signsIn(id, claims)).user.id).toBe(owner.id)
    await changeProvider(service, admin, id, { trustsMfa: false })
    await expectRejected(id, claims, 'role_protected')
  })

  it('keeps the delegated permissions after another editor renames the provider', async () => {
    const { owner, id } = await team()
    const admin = await addColleague(service, owner, 'admin')
    const claims = claimsOf(owner.email)
    await changeProvider(service, admin, id, { name: 'By an administrator', enabled: true })
    expect((await signsIn(id, claims)).user.id).toBe(owner.id)
    await changeProvider(service, admin, id, { attributeMapping: {} })
    await changeProvider(service, owner, id, { name: 'By the owner', enabled: true })
    await expectRejected(id, claims, 'role_protected')
  })

  it('limits the permissions to those of an administrator who enables the provider', async () => {
    const { owner, id } = await team()
    const admin = await addColleague(service, owner, 'admin')
    await changeProvider(service, owner, id, { enabled: false })
    await changeProvider(service, admin, id, { enabled: true })
    await expectRejected(id, claimsOf(owner.email), 'role_protected')
    await signsIn(id, claimsOf((await addColleague(service, owner)).email))
    await changeProvider(service, owner, id, { enabled: false })
    await changeProvider(service, owner, id, { enabled: true })
    await expectRejected(id, claimsOf(owner.email), 'role_protected')
    await changeProvider(service, owner, id, { trustsEmail: false })
    expect((await signsIn(id, claimsOf(owner.email))).user.id).toBe(owner.id)
  })

  it('rejects every sign-in once the last editor has lost sso:write', async () => {
    const { owner, id } = await team({ autoProvision: true })
    const admin = await addColleague(service, owner, 'admin')
    await changeProvider(service, admin, id, { allowedDomains: [] })
    await api('PUT', `/api/v1/users/${admin.id}`, { token: owner.token, body: { role: 'member' } })
    await expectRejected(id, claimsOf(newEmail()), 'sso_provider_orphaned')
    await changeProvider(service, owner, id, { allowedDomains: [] })
    await signsIn(id, claimsOf(newEmail()))
  })

  it('limits the permissions of a provider saved with an API token to those of the token', async () => {
    const { owner, id } = await team()
    const made = await api('POST', '/api/v1/api-tokens', {
      token: owner.token,
      body: { name: 'Script', scopes: ['sso:write', 'org:read'] },
    })
    expect(made.status, made.text).toBe(201)
    await changeProvider(service, { token: made.body.token }, id, { trustsEmail: false })
    await expectRejected(id, claimsOf(owner.email), 'role_protected')
    const member = await addColleague(service, owner)
    await signsIn(id, claimsOf(member.email))
  })

  it('adds no member if the last editor has fewer permissions than a member', async () => {
    const { owner, id } = await team({ autoProvision: true, allowedDomains: ['example.com'] })
    const { body } = await api('POST', '/api/v1/api-tokens', {
      token: owner.token,
      body: { name: 'Script', scopes: ['sso:write'] },
    })
    await changeProvider(service, { token: body.token }, id, { autoProvision: true })
    await expectRejected(id, claimsOf(newEmail()), 'role_protected')
    await expectRejected(id, claimsOf((await registerUser(service)).email), 'role_protected')
    await changeProvider(service, owner, id, { autoProvision: true })
    await signsIn(id, claimsOf(newEmail()))
  })

  it('reports a rejection to the team with an account only for members', async () => {
    const { owner, id } = await team()
    const member = await addColleague(service, owner)
    const elsewhere = await registerUser(service)
    const seen = async (email: string, verified: boolean | undefined) => {
      await signInBy(service, id, provider, claimsOf(email, { email_verified: verified }))
      const recorded = await api('GET', `/api/v1/sso/providers/${id}/sign-ins`, { token: owner.token })
      const log = await api('GET', '/api/v1/audit/logs?action=user.login&result=FAILURE', { token: owner.token })
      const [{ error, detail, userId }, entry] = [recorded.body.data[0], log.body.data[0]]
      return { error, detail, userId, entry: [entry.userId, entry.resource, entry.metadata] }
    }
    for (const verified of [true, false, undefined])
      expect(await seen(elsewhere.email, verified)).toEqual(await seen(newEmail(), verified))
    await changeProvider(service, owner, id, { autoProvision: true, allowedDomains: ['example.com'] })
    const unverified = await seen(elsewhere.email, false)
    expect(unverified).toMatchObject({ error: 'sso_email_unverified', entry: [null, `sso_provider:${id}`, {}] })
    expect(unverified).not.toHaveProperty('userId', elsewhere.id)
    expect(await seen(elsewhere.email, undefined)).toEqual(unverified)
    const { userId, detail, entry } = await seen(member.email, false)
    expect([userId, detail, entry[0]]).toEqual([member.id, unverified.detail, member.id])
  })

  it('treats the same subject of another issuer as another user', async () => {
    const other = await startScriptedProvider()
    const { owner, id } = await team()
    const member = await addColleague(service, owner)
    const claims = claimsOf(member.email)
    await signsIn(id, claims)
    const { issuer, clientId, clientSecret } = other
    await changeProvider(service, owner, id, {
      oidcIssuer: issuer,
      oidcClientId: clientId,
      oidcClientSecret: clientSecret,
    })
    expect(await signInBy(service, id, other, { ...claims, email: newEmail() })).toMatchObject({
      error: 'sso_not_provisioned',
    })
    await other.close()
  })

  it('keeps the membership when the provider is deleted, and links the user to a new provider', async () => {
    const { owner, id } = await team({ autoProvision: true })
    const claims = claimsOf(newEmail())
    const { user } = await signsIn(id, claims)
    await api('DELETE', `/api/v1/sso/providers/${id}`, { token: owner.token })
    expect((await api('GET', `/api/v1/users/${user.id}`, { token: owner.token })).status).toBe(200)
    const { id: second } = await addProvider(service, owner, oidcProvider(provider))
    expect((await signsIn(second, claims)).user.id).toBe(user.id)
  })
})

describe('the profile of a sign-in', () => {
  it('changes the profile in that team, but not in other teams or in the account', async () => {
    const elsewhere = await registerUser(service)
    await api('PATCH', '/api/v1/auth/me', { token: elsewhere.token, body: { firstName: 'Own', lastName: 'Name' } })
    const { owner, id } = await team({ attributeMapping: { dept: 'department', tel: 'phone', badge: 'externalId' } })
    await joinTeam(service, elsewhere, owner.teamId)
    const { user } = await signsIn(
      id,
      claimsOf(elsewhere.email, { dept: ['Analysis'], tel: 123, locale: 'de_at', badge: 'B7' }),
    )
    expect(user).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' })
    const [row] = await service.sql(
      'SELECT department, phone, locale, external_id FROM memberships WHERE user_id = $1 AND organization_id = $2',
      [elsewhere.id, owner.teamId],
    )
    expect(row).toEqual({ department: 'Analysis', phone: '123', locale: 'de-AT', external_id: 'B7' })
    const own = await logIn(service, { email: elsewhere.email, password: PASSWORD })
    const mine = await api('GET', '/api/v1/auth/me', { token: own.token, headers: { 'x-org-id': elsewhere.teamId } })
    expect(mine.body.user).toMatchObject({ firstName: 'Own', lastName: 'Name' })
  })

  it('uses the first attribute by name of several for one field, in any order of the mapping', async () => {
    for (const attributeMapping of [
      { b: 'title', aa: 'title', c: 'title' },
      { c: 'title', aa: 'title', b: 'title' },
    ]) {
      const { id } = await team({ autoProvision: true, attributeMapping })
      for (const [said, title] of [
        [{ c: 'C', b: 'B', aa: 'A' }, 'A'],
        [{ c: 'C', b: 'B', aa: '' }, 'B'],
      ] as const) {
        const { user } = await signsIn(id, claimsOf(newEmail(), said))
        const [row] = await service.sql('SELECT title FROM memberships WHERE user_id = $1', [user.id])
        expect(row?.title).toBe(title)
      }
    }
  })

  it('skips an invalid value and reports it', async () => {
    const { id } = await team({ autoProvision: true, attributeMapping: { title: 'title', lang: 'locale' } })
    const said = {
      title: 'a\nb',
      lang: 'no language!',
      given_name: 'x'.repeat(101),
      family_name: { a: 1 },
      name: 'Ada L',
    }
    const { user } = await signsIn(id, claimsOf(newEmail(), said))
    expect(user).toMatchObject({ firstName: 'Ada L', lastName: null })
    const [row] = await service.sql<{ checks: { id: string; status: string }[] }>(
      'SELECT checks FROM sso_sign_ins WHERE provider_id = $1',
      [id],
    )
    const passedOver = row?.checks.filter(({ id }) => id.startsWith('attribute_')).map(({ id }) => id)
    expect(passedOver?.sort()).toEqual(['attribute_firstName', 'attribute_locale', 'attribute_title'])
  })

  it('adds the user to the named groups, and removes the user only from those', async () => {
    const { owner, id } = await team({ autoProvision: true, attributeMapping: { groups: 'groups' } })
    const a = await makeGroup(service, owner.teamId)
    const b = await makeGroup(service, owner.teamId)
    const byHand = await makeGroup(service, owner.teamId)
    const names = await service.sql<{ id: string; name: string }>(
      'SELECT id, name FROM groups WHERE organization_id = $1',
      [owner.teamId],
    )
    const nameOf = (group: string | undefined) => names.find((row) => row.id === group)?.name
    const claims = claimsOf(newEmail())
    const groupsAfter = async (groups: unknown) => {
      const { user } = await signsIn(id, { ...claims, groups })
      const rows = await service.sql<{ id: string }>('SELECT group_id AS id FROM group_members WHERE user_id = $1', [
        user.id,
      ])
      return { user, ids: rows.map((row) => row.id).sort() }
    }
    const { user, ids } = await groupsAfter([nameOf(a), nameOf(b), 'unknown'])
    expect(ids).toEqual([a, b].sort())
    await api('PUT', `/api/v1/users/${user.id}/groups`, { token: owner.token, body: { groupIds: [a, b, byHand] } })
    expect((await groupsAfter(nameOf(b))).ids).toEqual([b, byHand].sort())
    expect((await groupsAfter([nameOf(b), nameOf(byHand)])).ids).toEqual([b, byHand].sort())
    expect((await groupsAfter(undefined)).ids).toEqual([b, byHand].sort())
    expect((await groupsAfter(nameOf(a))).ids).toEqual([a, byHand].sort())
  })
})
