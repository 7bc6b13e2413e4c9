import { expect } from 'vitest'
import { signInBrowser } from '../doubles/relying-party.js'
import type { ApiResponse } from '../harness/api.js'
import type { TestService } from '../harness/service.js'
import { addUser, joinTeam, PASSWORD, registerUser, type TestUser, verifyEmailAddress } from './factories.js'

/** A browser that visits a team's web page. `user` and `token` are undefined without a session. */
export interface TestVisitor {
  user: TestUser | undefined
  token: string | undefined
  cookies: Record<string, string>
}

const TEMPORARY_PASSWORD = 'set by a team, not by the user'

/**
 * Creates visitors that a team must not identify: none is a confirmed member, has consented to its applications, or has signed in with
 * a credential of the team.
 */
export async function unconfirmedVisitors(
  service: TestService,
  owner: TestUser,
): Promise<[who: string, TestVisitor][]> {
  const { api } = service
  const verified = async () => {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    return user
  }
  const signInAs = async (user: TestUser): Promise<TestVisitor> => {
    const { token, cookies } = await signInBrowser(service, user)
    return { user, token, cookies }
  }

  const added = await verified()
  await joinTeam(service, added, owner.teamId, { counts: false })

  const suspended = await verified()
  await joinTeam(service, suspended, owner.teamId)
  const body = { status: 'suspended' }
  expect((await api('PUT', `/api/v1/users/${suspended.id}`, { token: owner.token, body })).status).toBe(200)

  const elsewhere = await verified()
  const other = await registerUser(service)
  await joinTeam(service, elsewhere, owner.teamId)
  await addUser(service, other, { email: elsewhere.email, temporaryPassword: TEMPORARY_PASSWORD })
  const login = await api('POST', '/api/v1/auth/login', {
    body: { email: elsewhere.email, password: TEMPORARY_PASSWORD, teamId: other.teamId },
  })
  expect(login.status, login.text).toBe(200)

  return [
    ['without a session', { user: undefined, token: undefined, cookies: {} }],
    ['with a session that ended', { user: undefined, token: undefined, cookies: { keyward_sso: 'ended' } }],
    ['who is a user of another team', await signInAs(await verified())],
    ['who is an unverified user of another team', await signInAs(await registerUser(service, { password: PASSWORD }))],
    ['whom the team added, unconfirmed', await signInAs(added)],
    ['whom the team suspended', await signInAs(suspended)],
    [
      'in a session that is restricted to another team',
      {
        user: elsewhere,
        token: login.body.accessToken,
        cookies: { keyward_sso: login.cookies.keyward_sso?.value ?? '' },
      },
    ],
  ]
}

/** Returns a browser response without values that differ between requests. */
export const received = ({ status, headers, text }: ApiResponse) => ({
  status,
  text,
  headers: [...headers]
    .filter(([name]) => name !== 'date' && name !== 'x-request-id')
    .map(([name, value]) => [name, name === 'set-cookie' ? value.replace(/=[^;]*/, '=') : value]),
})

/** Fails if the audit log of the owner's team names the user in an entry that the owner did not cause. */
export async function expectUnnamed({ api }: TestService, owner: TestUser, user: TestUser): Promise<void> {
  const { status, body, text } = await api('GET', '/api/v1/audit/logs?limit=100', { token: owner.token })
  expect(status, text).toBe(200)
  const caused = body.data.filter(({ userId }: { userId: string | null }) => userId !== owner.id)
  const names = (entry: unknown) => [user.id, user.email].some((name) => JSON.stringify(entry).includes(name))
  expect(caused.filter(names)).toEqual([])
}
