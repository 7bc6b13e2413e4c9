import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LdapDouble, startLdapDouble } from '../../../test/doubles/ldap-double.js'
import { type Authenticator, createAuthenticator } from '../../../test/factories/authenticator.js'
import {
  addUser,
  expectError,
  expectSession,
  newEmail,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../test/factories/factories.js'
import { enrollPasskey } from '../../../test/factories/factors.js'
import { type Directory, makeDirectory } from '../../../test/factories/scim.js'
import { startService, type TestService } from '../../../test/harness/service.js'
import { syncDirectory, writeDirectory } from '../../../test/peers/ldap-directory.js'

describe('an account that a team inserted with unrestricted credentials and renamed', () => {
  let service: TestService
  let ldap: LdapDouble
  /** The email address of the one entry of the directory. */
  let mail: string
  beforeAll(async () => {
    service = await startService()
    ldap = await startLdapDouble(({ base, isBase, filter }) => {
      const values = {
        objectClass: ['inetOrgPerson'],
        entryUUID: ['uuid-user'],
        cn: ['user'],
        sn: ['user'],
        mail: [mail],
      }
      const user = { dn: `cn=user,${base}`, attributes: values }
      if (isBase) return { entries: [{ dn: base, attributes: { objectClass: ['top'] } }] }
      return { entries: filter.includes('inetOrgPerson') ? [user] : [] }
    })
  })
  afterAll(async () => {
    await service.close()
    await ldap.close()
  })

  const post = (path: string, body: object) => service.api('POST', `/api/v1/auth/${path}`, { body })

  let hostile: TestUser
  let scim: Directory
  /** The account, and everything that its creator can sign in with. */
  let planted: TestUser & { passkey: Authenticator }
  beforeEach(async () => {
    hostile = await registerUser(service)
    scim = await makeDirectory(service, hostile)
    const user = await registerUser(service, { email: newEmail('mailbox') })
    const { authenticator } = await enrollPasskey(service, user, createAuthenticator())
    planted = { ...user, passkey: authenticator }
    // As if the team had inserted the account: no request gives such an account an unrestricted credential.
    await service.sql('UPDATE users SET made_by_team_id = $2 WHERE id = $1', [user.id, hostile.teamId])
    await service.sql('UPDATE memberships SET organization_id = $2, role = $3 WHERE user_id = $1', [
      user.id,
      hostile.teamId,
      'MEMBER',
    ])
    mail = user.email
  })

  const bySCIM = async (to: string) => {
    const answer = await scim.patch(`/Users/${planted.id}`, [{ op: 'replace', value: { userName: to } }])
    expect(answer.status, answer.text).toBe(200)
  }
  const byLDAP = async (to: string) => {
    await writeDirectory(service, hostile, ldap)
    expect(await syncDirectory(service, hostile)).toMatchObject({ status: 'completed', failures: 0 })
    mail = to
    expect(await syncDirectory(service, hostile)).toMatchObject({ status: 'completed', failures: 0, updated: 1 })
  }
  const accountOf = async (email: string) =>
    (await service.sql('SELECT id FROM users WHERE email = $1', [email]))[0]?.id

  async function expectNothingPlanted(email: string): Promise<void> {
    for (const teamId of [undefined, hostile.teamId])
      expectError(await post('login', { email, password: PASSWORD, teamId }), 401, 'invalid_credentials')
    await expectSession(service, planted.token, 'revoked')
    expectError(await post('refresh', { refreshToken: planted.refreshToken }), 401, 'invalid_refresh_token')
    const { body: options } = await post('passkey/options', {})
    const { status } = await post('passkey/verify', { credential: planted.passkey.get(options) })
    expect(status).toBe(401)
  }

  describe.each([
    ['SCIM', bySCIM],
    ['LDAP', byLDAP],
  ])('by %s', (_, rename) => {
    it('accepts no password, session or passkey from before the rename, also after another team added the user', async () => {
      const victim = newEmail('victim')
      await rename(victim)
      expect(await accountOf(victim)).toBe(planted.id)
      await expectNothingPlanted(victim)
      const company = await registerUser(service)
      await addUser(service, company, { email: victim, role: 'admin' })
      await expectNothingPlanted(victim)
      const token = await requestToken(service, 'magic_link', victim)
      expect((await post('verify', { token })).status).toBe(200)
      await expectNothingPlanted(victim)
    })

    it('accepts none of them either after the rename to a mailbox and back', async () => {
      const mailbox = newEmail('mailbox')
      const victim = planted.email
      await rename(mailbox)
      await requestToken(service, 'magic_link', mailbox)
      await (rename === byLDAP ? syncAs(victim) : rename(victim))
      await expectNothingPlanted(victim)
    })
  })

  it('stays with the mailbox whose link was redeemed: it is not renamed back', async () => {
    const mailbox = newEmail('mailbox')
    await bySCIM(mailbox)
    const { body } = await post('verify', { token: await requestToken(service, 'magic_link', mailbox) })
    expect(body.user.email).toBe(mailbox)
    const back = await scim.patch(`/Users/${planted.id}`, [{ op: 'replace', value: { userName: newEmail('victim') } }])
    expect([back.status, back.body.scimType]).toEqual([400, 'mutability'])
  })

  it('rejects a link to the mailbox that was mailed before it was renamed back', async () => {
    const mailbox = newEmail('mailbox')
    const victim = planted.email
    await bySCIM(mailbox)
    const links = {
      verify: await requestToken(service, 'magic_link', mailbox),
      'reset-password': await requestToken(service, 'password_reset', mailbox),
    }
    await bySCIM(victim)
    expectError(await post('verify', { token: links.verify }), 400, 'invalid_token')
    const reset = { token: links['reset-password'], newPassword: 'a planted passphrase' }
    expectError(await post('reset-password', reset), 400, 'invalid_token')
  })

  const syncAs = async (to: string) => {
    mail = to
    expect(await syncDirectory(service, hostile)).toMatchObject({ status: 'completed', failures: 0 })
  }
})
