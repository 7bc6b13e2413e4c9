import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  addUser,
  expectError,
  joinTeam,
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
  verifyDomain,
} from '../../../../test/factories/factories.js'
import { type FaultProxy, startFaultProxy } from '../../../../test/harness/fault-proxy.js'
import { startService } from '../../../../test/harness/service.js'
import { syncDirectory, writeDirectory } from '../../../../test/peers/ldap-directory.js'
import { BASE_DN, BIND_DN, HAS_SLAPD, person, personDn, startSlapd } from '../../../../test/peers/slapd.js'

if (!HAS_SLAPD)
  process.stdout.write('skipped: sign-in by the password of a real LDAP server (slapd is not installed)\n')

describe.skipIf(!HAS_SLAPD)('signing in with a directory password', async () => {
  if (!HAS_SLAPD) return
  const service = await startService()
  const { api, sql } = service
  const [ann, both, boss, carl] = [newEmail('ann'), newEmail('both'), newEmail('boss'), newEmail('carl')]
  const eve = newEmail('eve').replace('example.com', 'employer.example')
  const slapd = await startSlapd({
    ldif:
      person('ann', { mail: ann }) +
      person('both', { mail: both }) +
      person('boss', { mail: boss }) +
      person('carl', { mail: carl }) +
      person('eve', { mail: eve }),
  })
  let owner: TestUser
  let proxy: FaultProxy
  afterAll(async () => {
    await proxy.close()
    await slapd.close()
    await service.close()
  })
  const logIn = (email: string, password: string, fields: Record<string, unknown> = {}) =>
    api('POST', '/api/v1/auth/login', { body: { email, password, ...fields } })

  beforeAll(async () => {
    owner = await registerUser(service)
    proxy = await startFaultProxy({ host: '127.0.0.1', port: slapd.port })
    const shared = await registerUser(service, { email: both })
    await joinTeam(service, shared, owner.teamId)
    await writeDirectory(service, owner, proxy, { signInEnabled: true })
    expect(await syncDirectory(service, owner)).toMatchObject({ status: 'completed', failures: 0 })
  })

  it('grants access to the team of the directory only', async () => {
    const { status, body } = await logIn(ann, 'password of ann')
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.team.id).toBe(owner.teamId)
    const teams = await api('POST', '/api/v1/organizations', { token: body.accessToken, body: { name: 'Mine' } })
    expectError(teams, 403, 'team_sign_in_required')
  })

  it('restricts the session to that team for a user with an own password if the request names the team', async () => {
    expectError(await logIn(both, 'password of both'), 401, 'invalid_credentials')
    const byDirectory = await logIn(both, 'password of both', { teamId: owner.teamId })
    expect(byDirectory.body.team.id).toBe(owner.teamId)
    const { body: own } = await logIn(both, PASSWORD)
    const { body: teams } = await api('GET', '/api/v1/organizations', { token: own.accessToken })
    const other = teams.data.find(({ id }: { id: string }) => id !== owner.teamId)
    const switched = { body: { teamId: other.id }, token: byDirectory.body.accessToken }
    expectError(await api('POST', '/api/v1/auth/switch-team', switched), 403, 'team_sign_in_required')
    expectError(await logIn(both, 'password of both', { teamId: other.id }), 401, 'invalid_credentials')
  })

  it('ignores a temporary password of a team that added a confirmed member of another team', async () => {
    const email = carl
    await sql(
      'UPDATE memberships m SET counts = true FROM users u WHERE u.id = m.user_id AND u.email = $1 AND m.organization_id = $2',
      [email, owner.teamId],
    )
    const hostile = await registerUser(service)
    await addUser(service, hostile, { email, temporaryPassword: PASSWORD })
    const { status, body } = await logIn(email, 'password of carl')
    expect([status, body.team?.id]).toEqual([200, owner.teamId])
  })

  it.each(['', 'wrong', 'password of both'])('rejects an incorrect, empty or reused password: %j', async (password) => {
    const answer = await logIn(ann, password)
    expect([400, 401]).toContain(answer.status)
  })

  describe('a directory that reassigns DNs', () => {
    const [mine, theirs] = ['the password of john', 'the password of jane']
    const jane = () => {
      renamed?.modify(`dn: ${personDn('john')}\nchangetype: delete\n`)
      const entry = person('john', { mail: newEmail('jane'), userPassword: theirs })
      renamed?.modify(entry.replace('\nobjectClass', '\nchangetype: add\nobjectClass'))
    }
    let renamed: Awaited<ReturnType<typeof startSlapd>> | undefined
    afterEach(() => renamed?.close())
    /** Creates a team whose directory contains John, already imported. */
    async function john(config = ''): Promise<string> {
      const [admin, mail] = [await registerUser(service), newEmail('john')]
      renamed = await startSlapd({ ldif: person('john', { mail, userPassword: mine }), config })
      await writeDirectory(service, admin, renamed, { signInEnabled: true })
      expect(await syncDirectory(service, admin)).toMatchObject({ status: 'completed', created: 1 })
      expect((await logIn(mail, mine)).status).toBe(200)
      return mail
    }
    const READ_BY_THE_SERVICE = `access to attrs=userPassword by anonymous auth by * none
access to dn.subtree="ou=people,${BASE_DN}" by dn.exact="${BIND_DN}" read by * none`

    it('rejects the password of the user who has the DN now', async () => {
      const mail = await john()
      jane()
      expectError(await logIn(mail, theirs), 401, 'invalid_credentials')
    })

    it('verifies the entry with the service account if users may not read their own, and returns 503 if neither can', async () => {
      const mail = await john(READ_BY_THE_SERVICE)
      jane()
      expectError(await logIn(mail, theirs), 401, 'invalid_credentials')
      renamed?.modify(`dn: ${BIND_DN}\nchangetype: modify\nreplace: userPassword\nuserPassword: another\n`)
      expectError(await logIn(mail, theirs), 503, 'unavailable')
    })
  })

  it('sends no password of an account with an own password to the directory unless the request names the team', async () => {
    const outsider = await registerUser(service)
    const victim = await registerUser(service)
    const trap = await startSlapd({ ldif: person('victim', { mail: victim.email }) })
    await writeDirectory(service, outsider, trap, { signInEnabled: true })
    await syncDirectory(service, outsider)
    expectError(await logIn(victim.email, 'password of victim'), 401, 'invalid_credentials')
    const named = await logIn(victim.email, 'password of victim', { teamId: outsider.teamId })
    const { body: me } = await api('GET', '/api/v1/auth/me', { token: named.body.accessToken })
    expect(me).toMatchObject({ team: { id: outsider.teamId }, session: { confined: true } })
    await trap.close()
  })

  it('receives no typed password of a member with an own password unless the request names the team', async () => {
    const outsider = await registerUser(service)
    const victim = await registerUser(service)
    await joinTeam(service, victim, outsider.teamId)
    const trap = await startSlapd({ ldif: person('victim', { mail: victim.email }) })
    await writeDirectory(service, outsider, trap, { signInEnabled: true })
    await syncDirectory(service, outsider)
    expectError(await logIn(victim.email, 'password of victim'), 401, 'invalid_credentials')
    expect((await logIn(victim.email, 'password of victim', { teamId: outsider.teamId })).status).toBe(200)
    await trap.close()
  })

  it('verifies a user whom another team added, but not one whom a second directory lists', async () => {
    const outsider = await registerUser(service)
    await api('POST', '/api/v1/users', { token: outsider.token, body: { email: eve } })
    expect((await logIn(eve, 'password of eve')).body.team.id).toBe(owner.teamId)

    // The other directory accepts the same password, so it would grant access if it received it.
    const trap = await startSlapd({ ldif: person('eve', { mail: eve }) })
    await writeDirectory(service, outsider, trap, { signInEnabled: true })
    await syncDirectory(service, outsider)
    const confirmed = 'UPDATE memberships SET counts = true, last_used_at = $2 WHERE organization_id = $1'
    await sql(confirmed, [outsider.teamId, service.clock.now()])
    expectError(await logIn(eve, 'password of eve'), 401, 'invalid_credentials')
    expect((await logIn(eve, 'password of eve', { teamId: owner.teamId })).body.team.id).toBe(owner.teamId)
    await verifyDomain(service, owner.teamId, 'employer.example')
    expect((await logIn(eve, 'password of eve')).body.team.id).toBe(owner.teamId)
    await trap.close()
  })

  it('returns 503 only to its own users while the directory is unavailable', async () => {
    await proxy.cut()
    expectError(await logIn(ann, 'password of ann'), 503, 'unavailable')
    expectError(await logIn(newEmail(), 'any password'), 401, 'invalid_credentials')
    expect((await logIn(owner.email, owner.password)).status).toBe(200)
    expect((await logIn(both, PASSWORD)).status).toBe(200)
    await proxy.restore()
    expect((await logIn(ann, 'password of ann')).status).toBe(200)
  })

  it('counts no passwords towards the lockout that an unavailable directory could not verify', async () => {
    await proxy.cut()
    for (let tries = 0; tries < 12; tries++) expectError(await logIn(ann, 'password of ann'), 503, 'unavailable')
    await proxy.restore()
    await service.clock.advance(2_000)
    expect((await logIn(ann, 'password of ann')).status).toBe(200)
  })

  it('contacts an unavailable directory at most once a second after ten attempts on an account', async () => {
    await proxy.cut()
    for (let tries = 0; tries < 11; tries++) expectError(await logIn(ann, 'guess'), 503, 'unavailable')
    await proxy.restore()
    expectError(await logIn(ann, 'password of ann'), 503, 'unavailable')
    await service.clock.advance(2_000)
    expect((await logIn(ann, 'password of ann')).status).toBe(200)
  })

  it('allows no additional guesses of the own password while the directory is unavailable', async () => {
    await proxy.cut()
    const named = { teamId: owner.teamId }
    for (let tries = 0; tries < 10; tries++)
      expectError(await logIn(both, `guess ${tries}`, named), 401, 'invalid_credentials')
    for (const fields of [{}, named]) expectError(await logIn(both, PASSWORD, fields), 401, 'invalid_credentials')
    await proxy.restore()
    await service.clock.advance(16 * 60_000)
    expect((await logIn(both, 'password of both', named)).status).toBe(200)
    expect((await logIn(both, PASSWORD)).status).toBe(200)
  })

  it('counts failures towards the lockout and then no longer contacts the directory', async () => {
    for (let tries = 0; tries < 10; tries++)
      expectError(await logIn(boss, `guess ${tries}`), 401, 'invalid_credentials')
    expectError(await logIn(boss, 'password of boss'), 401, 'invalid_credentials')
    await service.clock.advance(16 * 60_000)
    expect((await logIn(boss, 'password of boss')).status).toBe(200)
  })

  it('stops when the directory is disabled, the entry is gone or the last editor lost access', async () => {
    expect((await logIn(ann, 'password of ann')).status).toBe(200)
    const fresh = (await logIn(owner.email, owner.password)).body.accessToken
    const set = (signInEnabled: boolean) => writeDirectory(service, { token: fresh }, proxy, { signInEnabled })
    await set(false)
    expectError(await logIn(ann, 'password of ann'), 401, 'invalid_credentials')
    await set(true)
    await sql(`UPDATE directories SET saved_permissions = '{}' WHERE organization_id = $1`, [owner.teamId])
    expectError(await logIn(ann, 'password of ann'), 403, 'directory_orphaned')
    await set(true)
    slapd.modify(`dn: ${personDn('ann')}\nchangetype: delete\n`)
    await syncDirectory(service, { token: fresh }, { confirmLeavers: true })
    expectError(await logIn(ann, 'password of ann'), 401, 'invalid_credentials')
  })

  it('writes no password to the log or the database', async () => {
    const everything = JSON.stringify([
      service.logLines,
      await sql('SELECT * FROM audit_entries'),
      await sql('SELECT * FROM directories'),
    ])
    for (const uid of ['ann', 'both', 'boss']) expect(everything).not.toContain(`password of ${uid}`)
  })
})
