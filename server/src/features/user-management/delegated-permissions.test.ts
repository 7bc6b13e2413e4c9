import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startScriptedProvider } from '../../../test/doubles/scripted-provider.js'
import {
  addColleague,
  invite,
  joinTeam,
  newEmail,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { directoryWith, makeDirectory } from '../../../test/factories/scim.js'
import { addProvider, changeProvider, oidcProvider, signInBy } from '../../../test/factories/sso.js'
import { startService } from '../../../test/harness/service.js'
import { syncDirectory, writeDirectory } from '../../../test/peers/ldap-directory.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const { api } = service

let owner: TestUser
let admin: TestUser
beforeEach(async () => {
  owner = await registerUser(service)
  admin = await addColleague(service, owner, 'admin')
})

const act = async (method: string, path: string, by: Pick<TestUser, 'token'>, body?: Record<string, unknown>) => {
  const answer = await api(method, `/api/v1${path}`, { token: by.token, ...(body && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}
const setStatus = (status: 'active' | 'suspended') => act('PUT', `/users/${admin.id}`, owner, { status })
const provision = async (active: boolean) => {
  const scim = await makeDirectory(service, owner)
  expect((await scim.patch(`/Users/${admin.id}`, [{ op: 'replace', path: 'active', value: active }])).status).toBe(200)
}
/** Adds the administrator to the team again, later than everything that they created in it. */
const addAgain = async () => {
  await service.clock.advance(10)
  await joinTeam(service, admin, owner.teamId, { role: 'ORG_ADMIN' })
}

/** Creates everything that acts with the permissions of its creator or last editor. `answers` returns the current results. */
async function automationOf(creator: TestUser) {
  const scim = await makeDirectory(service, creator)
  const { body: created } = await act('POST', '/api-tokens', creator, { name: 'Script', scopes: ['groups:read'] })
  const { id } = await addProvider(service, creator, oidcProvider(provider, { autoProvision: true }))
  await writeDirectory(service, creator, { port: 9 })
  const user = await addColleague(service, owner)
  const claims = () => ({
    sub: user.email,
    email: user.email,
    email_verified: true,
    auth_time: Math.floor(service.clock.ms() / 1_000),
  })
  return {
    providerId: id as string,
    answers: async () => {
      const scimAnswer = await directoryWith(service, scim.token, scim.tokenId, owner.teamId).call('GET', '/Users')
      const apiAnswer = await api('GET', '/api/v1/groups', { headers: { 'x-api-token': created.token } })
      const signIn = await signInBy(service, id, provider, claims())
      return {
        scim: scimAnswer.status,
        api: apiAnswer.status,
        provider: signIn.error ?? 'signed in',
        directory: (await syncDirectory(service, owner)).error,
      }
    },
  }
}
const WORKING = { scim: 200, api: 200, provider: 'signed in', directory: 'unreachable' }
const ORPHANED = { scim: 401, api: 401, provider: 'sso_provider_orphaned', directory: 'directory_orphaned' }

describe('automation with delegated permissions', () => {
  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['an administrator suspends and reactivates the member', () => setStatus('suspended'), () => setStatus('active')],
    ['SCIM suspends and reactivates the member', () => provision(false), () => provision(true)],
    ['SCIM suspends and an administrator reactivates the member', () => provision(false), () => setStatus('active')],
    [
      'an administrator removes and adds the member again',
      () => act('DELETE', `/organizations/${owner.teamId}/members/${admin.id}`, owner),
      addAgain,
    ],
    [
      'an administrator adds the member again after they left',
      () => act('POST', `/organizations/${owner.teamId}/leave`, admin),
      addAgain,
    ],
  ])('rejects the automation after %s', async (_, end, returnFromProvider) => {
    const { answers } = await automationOf(admin)
    expect(await answers()).toEqual(WORKING)
    await end()
    expect(await answers()).toEqual(ORPHANED)
    await returnFromProvider()
    expect(await answers()).toEqual(ORPHANED)
  })

  it('restores the automation once another member saves it', async () => {
    const { answers, providerId } = await automationOf(admin)
    await setStatus('suspended')
    await setStatus('active')
    await changeProvider(service, owner, providerId, { autoProvision: true })
    await writeDirectory(service, owner, { port: 9 })
    expect(await answers()).toEqual({ ...WORKING, scim: 401, api: 401 })
  })

  it('leaves automation of other members and other teams unchanged', async () => {
    const { answers } = await automationOf(owner)
    const other = await registerUser(service)
    await joinTeam(service, admin, other.teamId, { role: 'ORG_ADMIN' })
    const elsewhere = await makeDirectory(service, other)
    await service.sql('UPDATE scim_tokens SET created_by = $2 WHERE id = $1', [elsewhere.tokenId, admin.id])
    await service.clock.advance(10)
    await setStatus('suspended')
    expect(await answers()).toEqual(WORKING)
    expect((await elsewhere.call('GET', '/Users')).status).toBe(200)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['suspension', () => setStatus('suspended')],
    ['removal', () => act('DELETE', `/organizations/${owner.teamId}/members/${admin.id}`, owner)],
  ])('lists revoked automation in a mail to the owners only, after a %s', async (_, end) => {
    const other = await addColleague(service, owner, 'admin')
    await automationOf(admin)
    await end()
    const mails = async ({ email }: TestUser) =>
      (await service.mails(email)).filter(({ kind }) => kind === 'automation_ended')
    expect(await mails(owner)).toHaveLength(1)
    const [mail] = await mails(owner)
    expect(mail?.text).toMatch(/API tokens: 1, SCIM tokens: 1, sign-in providers: 1, LDAP directories: 1/)
    for (const user of [other, admin]) expect(await mails(user)).toEqual([])
    const plain = await addColleague(service, owner, 'admin')
    await act('PUT', `/users/${plain.id}`, owner, { status: 'suspended' })
    expect(await mails(owner)).toHaveLength(1)
  })

  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['suspension and reactivation', () => setStatus('suspended'), () => setStatus('active')],
    ['removal and return', () => act('DELETE', `/organizations/${owner.teamId}/members/${admin.id}`, owner), addAgain],
  ])('revokes pending invitations and imports on %s', async (_, end, returnFromProvider) => {
    const email = newEmail()
    const { token } = await invite(service, { ...admin, teamId: owner.teamId }, email)
    const stored = await invite(service, owner, newEmail())
    const origin = { ip: null, userAgent: null, requestId: 'test' }
    await service.sql(
      `INSERT INTO import_runs (id, organization_id, started_by, dry_run, status, rows, options, total, processed, created, updated, unchanged, failures, created_at)
       VALUES ($1, $2, $3, false, 'queued', '[]', $5, 1, 0, 0, 0, 0, '[]', $4)`,
      [randomUUID(), owner.teamId, admin.id, new Date(service.clock.ms()), JSON.stringify({ origin })],
    )
    const opens = async (token: string) => (await api('GET', `/api/v1/invitations/${token}`)).status
    expect(await opens(token)).toBe(200)
    await end()
    await returnFromProvider()
    expect(await opens(token)).toBe(400)
    expect(await opens(stored.token)).toBe(200)
    const { body } = await act('GET', `/organizations/${owner.teamId}/invitations?status=REVOKED`, owner)
    expect(body.data.filter((row: { email: string }) => row.email === email)).toMatchObject([{ status: 'REVOKED' }])
    const [run] = await service.sql('SELECT status FROM import_runs WHERE started_by = $1', [admin.id])
    expect(run?.status).toBe('cancelled')
    const { body: log } = await act('GET', '/audit/logs?limit=100', owner)
    const [entry] = log.data.filter(({ action }: { action: string }) =>
      /^(user.suspended|member.removed)$/.test(action),
    )
    expect(entry.metadata).toMatchObject({ invitationsRevoked: 1, importsCancelled: 1 })
  })

  it('counts revoked automation in the audit entry of a suspension', async () => {
    await automationOf(admin)
    await setStatus('suspended')
    const { body } = await act('GET', `/audit/logs?action=user.suspended`, owner)
    expect(body.data[0].metadata).toMatchObject({
      apiTokensRevoked: 1,
      scimTokensRevoked: 1,
      providersOrphaned: 1,
      directoriesOrphaned: 1,
    })
  })
})
