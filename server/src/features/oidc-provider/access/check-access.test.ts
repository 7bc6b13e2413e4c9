import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorize, registerApp, type TestApp, uidOf } from '../../../../test/doubles/relying-party.js'
import {
  addColleague,
  addUser,
  expectError,
  makeGroup,
  makePolicy,
  registerApplication,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { enrollApp } from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

interface Check {
  check: string
  passed: boolean
  code: string
}

describe('GET /users/{id}/access', () => {
  let service: TestService
  let owner: TestUser
  let app: TestApp
  let user: { id: string }
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const setUp = async () => {
    owner = await registerUser(service)
    app = await registerApp(service, owner)
    user = await addUser(service, owner)
  }
  const ask = (id: string, query: string, { token }: Pick<TestUser, 'token'> = owner) =>
    service.api('GET', `/api/v1/users/${id}/access?${query}`, { token })
  const access = async (query = '', by = owner) => {
    const { status, body } = await ask(user.id, `application=${app.id}${query}`, by)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.checks.map(({ check }: Check) => check)).toEqual([
      'team',
      'membership',
      'application',
      'assignment',
      'sign_in_policy',
      'application_policy',
      'mfa',
    ])
    expect(body.allowed).toBe(body.checks.every(({ passed }: Check) => passed))
    return body as { allowed: boolean; checks: Check[] }
  }
  const failed = ({ checks }: { checks: Check[] }) =>
    checks.filter(({ passed }) => !passed).map(({ check, code }) => `${check} ${code}`)
  const codeOf = ({ checks }: { checks: Check[] }, name: string) => checks.find(({ check }) => check === name)
  const put = (path: string, body: object) => service.api('PUT', `/api/v1/${path}`, { token: owner.token, body })

  it('allows a member of an open application, pending until the first sign-in', async () => {
    await setUp()
    const result = await access()
    expect(result.allowed).toBe(true)
    expect(codeOf(result, 'membership')).toMatchObject({ passed: true, code: 'pending' })
    expect(codeOf(result, 'assignment')).toEqual({ check: 'assignment', passed: true, code: 'everyone' })
    expect(codeOf(result, 'mfa')).toMatchObject({ code: 'not_required' })
  })

  it('names the assignment: none, by group with its name, direct', async () => {
    await setUp()
    await put(`applications/${app.id}`, { assignmentRequired: true })
    expect(failed(await access())).toEqual(['assignment not_assigned'])
    const groupId = await makeGroup(service, owner.teamId, 'Sales')
    await put(`groups/${groupId}/users`, { userIds: [user.id] })
    await put(`applications/${app.id}/groups`, { groupIds: [groupId] })
    expect(codeOf(await access(), 'assignment')).toMatchObject({
      passed: true,
      code: 'group',
      groups: [{ id: groupId, name: 'Sales' }],
    })
    await put(`applications/${app.id}/users`, { userIds: [user.id] })
    expect(codeOf(await access(), 'assignment')).toMatchObject({ code: 'direct' })
  })

  it('names a suspended membership, a stopped application, and one without a sign-in', async () => {
    await setUp()
    await put(`users/${user.id}`, { status: 'suspended' })
    expect(failed(await access())).toEqual(['membership suspended'])
    await put(`users/${user.id}`, { status: 'active' })
    await service.sql('UPDATE applications SET stopped_at = now() WHERE id = $1', [app.id])
    expect(failed(await access())).toEqual(['application stopped'])
    const machine = await registerApplication(service, owner, { grantTypes: ['client_credentials'], responseTypes: [] })
    const { body } = await ask(user.id, `application=${machine.id}`)
    expect(failed(body)).toEqual(['application without_sign_in'])
  })

  it('names the policy that decides, with the circumstances of the sign-in', async () => {
    await setUp()
    const { id } = await makePolicy(service, owner, {
      name: 'Not from there',
      type: 'SIGN_ON',
      resource: `application:${app.id}`,
      actions: ['login'],
      effect: 'DENY',
      conditions: { ipRange: '203.0.113.0/24' },
    })
    expect((await access()).allowed).toBe(true)
    const denied = await access('&ipAddress=203.0.113.9')
    expect(failed(denied)).toEqual(['application_policy denied'])
    expect(codeOf(denied, 'application_policy')).toMatchObject({ policy: { id, name: 'Not from there' } })
    const helper = await addColleague(service, owner)
    await service.sql("UPDATE memberships SET role = 'HELP_DESK_ADMIN' WHERE user_id = $1", [helper.id])
    for (const query of ['ipAddress=203.0.113.9', 'method=magic_link'])
      expectError(await ask(user.id, `application=${app.id}&${query}`, helper), 403, 'forbidden')
    await put(`policies/${id}`, { conditions: {} })
    const shown = codeOf(await access('', helper), 'application_policy')
    expect(shown).toMatchObject({ passed: false, code: 'denied' })
    expect(shown).not.toHaveProperty('policy')
  })

  it('states whether a factor is required, from the view of the team', async () => {
    await setUp()
    await makePolicy(service, owner, {
      type: 'MFA',
      resource: 'sign-in',
      actions: ['login'],
      rules: [{ requirement: 'MFA_REQUIRED' }],
    })
    expect(codeOf(await access(), 'mfa')).toMatchObject({ passed: true, code: 'enrollment_required' })
    const own = await registerUser(service)
    await verifyEmailAddress(service, own)
    await enrollApp(service, own)
    user = await addUser(service, owner, { email: own.email })
    // The team merely added the account, so it does not learn of its factors.
    expect(codeOf(await access(), 'mfa')).toMatchObject({ code: 'enrollment_required' })
    await service.sql('UPDATE memberships SET counts = true WHERE user_id = $1', [user.id])
    expect(codeOf(await access(), 'mfa')).toMatchObject({ code: 'required' })
  })

  it('agrees with a sign-in to the application', async () => {
    await setUp()
    const member = await addColleague(service, owner)
    user = member
    const open = async () => {
      const uid = uidOf(await authorize(service, app))
      const path = `${app.idp}/interaction/${uid}/confirm`
      const { status } = await service.api('POST', path, { token: member.token, body: { consent: true } })
      return status === 200
    }
    const states: [name: string, change: () => Promise<unknown>][] = [
      ['open to everyone', async () => undefined],
      ['assignment required', () => put(`applications/${app.id}`, { assignmentRequired: true })],
      ['assigned', () => put(`applications/${app.id}/users`, { userIds: [member.id] })],
      [
        'denied by a policy',
        () =>
          makePolicy(service, owner, {
            type: 'SIGN_ON',
            resource: `application:${app.id}`,
            actions: ['login'],
            effect: 'DENY',
          }),
      ],
    ]
    const results: [name: string, opened: boolean, allowed: boolean][] = []
    for (const [name, change] of states) {
      await change()
      results.push([name, await open(), (await access()).allowed])
    }
    expect(results).toEqual([
      ['open to everyone', true, true],
      ['assignment required', false, false],
      ['assigned', true, true],
      ['denied by a policy', false, false],
    ])
  })

  it('knows no user or application of another team, and requires applications:read', async () => {
    await setUp()
    const outsider = await registerUser(service)
    const foreign = await registerApplication(service, outsider)
    expectError(await ask(outsider.id, `application=${app.id}`), 404, 'user_not_found')
    expectError(await ask(user.id, `application=${foreign.id}`), 404, 'application_not_found')
    expectError(await ask(user.id, 'application=x'), 404, 'application_not_found')
    expectError(await ask(user.id, ''), 400, 'invalid_request')
    const device = await addColleague(service, owner)
    await service.sql("UPDATE memberships SET role = 'MOBILE_ADMIN' WHERE user_id = $1", [device.id])
    expectError(await ask(user.id, `application=${app.id}`, device), 403, 'forbidden')
  })
})
