import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startScriptedProvider } from '../../../test/doubles/scripted-provider.js'
import {
  addColleague,
  joinTeam,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../test/factories/factories.js'
import { makeDirectory } from '../../../test/factories/scim.js'
import { addProvider, oidcProvider } from '../../../test/factories/sso.js'
import { startService, type TestService } from '../../../test/harness/service.js'
import { writeDirectory } from '../../../test/peers/ldap-directory.js'

describe('a role with fewer permissions', () => {
  let service: TestService
  let provider: Awaited<ReturnType<typeof startScriptedProvider>>
  beforeAll(async () => {
    service = await startService()
    provider = await startScriptedProvider()
  })
  afterAll(async () => {
    await service.close()
    await provider.close()
  })

  let owner: TestUser
  let admin: TestUser
  beforeEach(async () => {
    owner = await registerUser(service)
    admin = await addColleague(service, owner, 'admin')
  })

  const act = async (method: string, path: string, by: Pick<TestUser, 'token'>, body: Record<string, unknown>) => {
    const answer = await service.api(method, `/api/v1${path}`, { token: by.token, body })
    expect(answer.status, answer.text).toBeLessThan(300)
  }
  const mails = async ({ email }: TestUser) =>
    (await service.mails(email)).filter(({ kind }) => kind === 'automation_reduced')
  const createApiToken = (by: TestUser) => act('POST', '/api-tokens', by, { name: 'Script', scopes: ['groups:read'] })
  const setMemberRole = (role: string) =>
    act('PUT', `/organizations/${owner.teamId}/members/${admin.id}/role`, owner, { role })

  it.each<[string, () => Promise<unknown>]>([
    ['PUT /users/{id}', () => act('PUT', `/users/${admin.id}`, owner, { role: 'member' })],
    ['PUT /organizations/{orgId}/members/{memberId}/role', () => setMemberRole('READ_ONLY_ADMIN')],
    [
      'POST /users/import',
      async () => {
        await act('POST', '/users/import', owner, { csv: `email,role\n${admin.email},member` })
        const role = `SELECT role FROM memberships WHERE user_id = $1 AND organization_id = $2`
        await expect.poll(() => service.sql(role, [admin.id, owner.teamId])).toEqual([{ role: 'MEMBER' }])
      },
    ],
  ])(
    'notifies the owners, when %s reduces the role, of automation that acts with the permissions of the member',
    async (_, reduce) => {
      const second = await registerUser(service)
      await joinTeam(service, second, owner.teamId, { role: 'OWNER' })
      const other = await addColleague(service, owner, 'admin')
      await makeDirectory(service, admin)
      await createApiToken(admin)
      await addProvider(service, admin, oidcProvider(provider, { autoProvision: true }))
      await writeDirectory(service, admin, { port: 9 })
      await reduce()
      for (const recipient of [owner, second]) {
        expect(await mails(recipient)).toHaveLength(1)
        const [mail] = await mails(recipient)
        expect(mail?.text).toMatch(/API tokens: 1, SCIM tokens: 1, sign-in providers: 1, LDAP directories: 1/)
      }
      for (const user of [other, admin]) expect(await mails(user)).toEqual([])
    },
  )

  it('notifies the other owners when an owner gets the role', async () => {
    const second = await registerUser(service)
    await verifyEmailAddress(service, second)
    await joinTeam(service, second, owner.teamId, { role: 'OWNER' })
    await createApiToken(owner)
    await act('PUT', `/users/${owner.id}`, { token: await switchTo(second, owner.teamId) }, { role: 'admin' })
    expect(await mails(second)).toHaveLength(1)
    expect(await mails(owner)).toEqual([])
  })

  it('sends no notification without automation, or if no permission is lost', async () => {
    await setMemberRole('HELP_DESK_ADMIN')
    await setMemberRole('USER_ADMIN')
    await setMemberRole('ORG_ADMIN')
    await createApiToken(admin)
    await setMemberRole('SUPER_ADMIN')
    expect(await mails(owner)).toEqual([])
    await setMemberRole('ORG_ADMIN')
    expect(await mails(owner)).toHaveLength(1)
  })

  const switchTo = async (user: TestUser, teamId: string): Promise<string> => {
    const { body } = await service.api('POST', '/api/v1/auth/switch-team', { token: user.token, body: { teamId } })
    return body.accessToken
  }
})
