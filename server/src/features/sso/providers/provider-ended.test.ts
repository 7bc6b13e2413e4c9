import { afterAll, describe, expect, it } from 'vitest'
import { isActive, registerApp, tokensFor } from '../../../../test/doubles/relying-party.js'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import {
  addColleague,
  atOnce,
  expectSession,
  newEmail,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { addSamlSite, signInBySaml } from '../../../../test/factories/saml-sso.js'
import {
  addProvider,
  beginSignIn,
  changeProvider,
  oidcProvider,
  resultOf,
  returnFromProvider,
  signInBy,
} from '../../../../test/factories/sso.js'
import { recordStatements } from '../../../../test/harness/record-statements.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const { api } = service

/** Sends requests to the node of this process, whose statements can be recorded. */
const firstNode: TestService = {
  ...service,
  api: (method, path, request) => api(method, path, { ...request, node: 0 }),
}

const ENDS = [
  [
    'disabled',
    'updated',
    (on: TestService, owner: TestUser, id: string) => changeProvider(on, owner, id, { enabled: false }),
  ],
  [
    'given another issuer',
    'updated',
    (on: TestService, owner: TestUser, id: string) =>
      changeProvider(on, owner, id, { oidcIssuer: 'http://other.example', oidcClientSecret: 'its own' }),
  ],
  [
    'deleted',
    'deleted',
    (on: TestService, owner: TestUser, id: string) =>
      on.api('DELETE', `/api/v1/sso/providers/${id}`, { token: owner.token }),
  ],
] as const

async function team(): Promise<{ owner: TestUser; id: string }> {
  const owner = await registerUser(service)
  return { owner, id: (await addProvider(service, owner, oidcProvider(provider, { autoProvision: true }))).id }
}
const signIn = async (id: string, email: string) =>
  (await signInBy(service, id, provider, { sub: email, email, email_verified: true })).token as string

async function lastEntry(owner: TestUser, action: string) {
  const { body } = await api('GET', `/api/v1/audit/logs?action=sso_provider.${action}`, { token: owner.token })
  return body.data[0]
}

describe.each(ENDS)('a provider that is %s', (_how, action, act) => {
  it('ends only the sessions that it started, with their grants to applications', async () => {
    const { owner, id } = await team()
    const other = await addProvider(service, owner, oidcProvider(provider))
    const member = await addColleague(service, owner)
    const app = await registerApp(service, owner)
    const theirs = [await signIn(id, member.email), await signIn(id, member.email), await signIn(id, newEmail())]
    const elsewhere = await signIn(other.id, member.email)
    const given = (await tokensFor(service, app, { token: theirs[0] ?? '' })).access_token
    const stored = (await tokensFor(service, app, { token: elsewhere })).access_token
    await act(service, owner, id)
    for (const token of theirs) await expectSession(service, token, 'revoked')
    expect([await isActive(service, given), await isActive(service, stored)]).toEqual([false, true])
    for (const token of [member.token, owner.token, elsewhere]) await expectSession(service, token, 'active')
    expect((await lastEntry(owner, action)).metadata).toMatchObject({ sessionsEnded: 3 })
  })

  it('leaves no session of a concurrent sign-in', async () => {
    const { owner, id } = await team()
    const waiting = await atOnce(8, async () => {
      const { location, cookies } = await beginSignIn(service, id)
      const email = newEmail()
      return { callback: provider.authorize(location, { sub: email, email, email_verified: true }), cookies }
    })
    const [answers] = await Promise.all([
      Promise.all(waiting.map(({ callback, cookies }) => returnFromProvider(service, callback, cookies))),
      act(service, owner, id),
    ])
    for (const { token } of answers.map(resultOf)) if (token) await expectSession(service, token, 'revoked')
    const active = await service.sql('SELECT 1 FROM sessions WHERE confined_team_id = $1 AND ended_at IS NULL', [
      owner.teamId,
    ])
    expect(active).toEqual([])
  })

  it('ends hundreds of sessions with the same number of statements as one', async () => {
    const [one, many] = [await team(), await team()]
    await signIn(one.id, newEmail())
    const token = await signIn(many.id, newEmail())
    await service.sql(
      `WITH made AS (INSERT INTO sessions SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'sso_hash', NULL))).*
           FROM sessions s JOIN sso_sessions o ON o.session_id = s.id, generate_series(1, 300) WHERE o.provider_id = $1 RETURNING id)
       INSERT INTO sso_sessions (session_id, provider_id, subject, created_at) SELECT id, $1, 'many', now() FROM made`,
      [many.id],
    )
    const statementsOf = async ({ owner, id }: typeof one) => {
      const { transactions } = await recordStatements(() => act(firstNode, owner, id))
      return transactions.flat().filter((sql) => sql.includes('sessions')).length
    }
    const ofOne = await statementsOf(one)
    expect(ofOne).toBeGreaterThan(0)
    expect(await statementsOf(many)).toBe(ofOne)
    await expectSession(service, token, 'revoked')
    expect((await lastEntry(many.owner, action)).metadata).toMatchObject({ sessionsEnded: 301 })
  })
})

describe('a SAML provider that is given another entity ID', () => {
  it('ends the sessions that it started', async () => {
    const owner = await registerUser(service)
    const site = await addSamlSite(service, owner, { autoProvision: true })
    const { token = '' } = await signInBySaml(site, { email: newEmail() })
    await expectSession(service, token, 'active')
    await changeProvider(service, owner, site.id, { samlEntityId: 'https://other.example' })
    await expectSession(service, token, 'revoked')
    expect((await lastEntry(owner, 'updated')).metadata).toMatchObject({ identitiesForgotten: 1, sessionsEnded: 1 })
  })
})

describe('a provider that stays enabled', () => {
  it('keeps its sessions when it is changed or enabled', async () => {
    const { owner, id } = await team()
    const token = await signIn(id, newEmail())
    await changeProvider(service, owner, id, { enabled: true, name: 'Other', trustsMfa: true })
    await expectSession(service, token, 'active')
    expect((await lastEntry(owner, 'updated')).metadata).not.toHaveProperty('sessionsEnded')
  })
})

describe('a provider that is deleted while sign-ins start', () => {
  it('lets each of them succeed or returns not found', async () => {
    for (let round = 0; round < 3; round++) {
      const { owner, id } = await team()
      const answers = await atOnce(20, (turn) =>
        turn === 10
          ? api('DELETE', `/api/v1/sso/providers/${id}`, { token: owner.token })
          : api('GET', `/api/v1/sso/oidc/${id}/login`),
      )
      expect(answers[10]?.status).toBe(200)
      expect(answers.filter(({ status }) => ![200, 302, 404].includes(status))).toEqual([])
    }
  })
})
