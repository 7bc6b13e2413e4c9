import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  expectError,
  makePolicy,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { recordStatements } from '../../../test/harness/record-statements.js'
import { startService, type TestService } from '../../../test/harness/service.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { createPolicySets, SignOnNotCompiled } from './policy-sets.js'
import { createSignOnDecision, type DecideSignOn } from './sign-on-decision.js'

const POLICIES = '/api/v1/policies'

/** Returns rules of about this many characters of JSON. */
const rulesOf = (characters: number) =>
  Array.from({ length: Math.floor(characters / 1_600) }, () => ({
    requirement: 'MFA_NOT_REQUIRED',
    conditions: { ipRange: Array.from({ length: 80 }, (_, index) => `10.1${index % 10}.1.0/24`) },
  }))

/** With two nodes on PostgreSQL the other one writes. */
describe('the sign-on decision', () => {
  let service: TestService
  let owner: TestUser
  let decide: DecideSignOn
  let statements: string[]

  beforeAll(async () => {
    service = await startService({ nodes: 2 })
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    owner = await registerUser(service)
    decide = createSignOnDecision(createPolicySets({ db: service.db }))
    statements = []
  })

  const counted = (tx: Transaction): Transaction => ({
    ...tx,
    run: (query, values) => {
      statements.push(query.name)
      return tx.run(query, values)
    },
  })
  const ask = (context = {}, teamId = owner.teamId) =>
    service.db.transaction((tx) => decide(counted(tx), teamId as TeamId, { resource: 'sign-in', context }))
  const requirementOf = async (context = {}) => {
    const { verdict, requirement } = await ask(context)
    return verdict === 'DENY' ? 'DENY' : requirement
  }
  const versionOf = async () => {
    const rows = await service.sql('SELECT policy_version FROM organizations WHERE id = $1', [owner.teamId])
    return Number(rows[0]?.policy_version)
  }
  const make = (fields: Record<string, unknown> = {}) =>
    makePolicy(service, owner, {
      name: 'Second factor',
      type: 'MFA',
      resource: 'sign-in',
      actions: ['login'],
      rules: [{ id: 'always', name: 'Always', requirement: 'MFA_REQUIRED' }],
      ...fields,
    })
  const write = async (id: string, body: unknown) => {
    const node = service.urls.length - 1
    expect((await service.api('PUT', `${POLICIES}/${id}`, { token: owner.token, node, body })).status).toBe(200)
  }

  it('requires nothing in a team without policies, at the cost of one read', async () => {
    await makePolicy(service, owner, { resource: '*', actions: ['*'], effect: 'DENY' })
    await make({ type: 'PASSWORD', effect: 'DENY' })
    await make({ enabled: false, effect: 'DENY' })
    for (let time = 0; time < 2; time++)
      expect(await ask()).toEqual({ verdict: 'ALLOW', requirement: null, policy: undefined, rule: undefined })
    expect(statements).toEqual(['policies.sign_on_state', 'policies.sign_on_state'])
  })

  it('names the deciding policy and rule', async () => {
    const { id } = await make()
    expect(await ask()).toEqual({
      verdict: 'ALLOW',
      requirement: 'MFA_REQUIRED',
      policy: { id, name: 'Second factor' },
      rule: { id: 'always', name: 'Always' },
    })
  })

  it.each(['SIGN_ON', 'MFA'])('reflects any change of a %s policy at the next sign-in', async (type) => {
    const seen = [await versionOf()]
    const says = async (requirement: string | null) => {
      expect(await requirementOf()).toBe(requirement)
      seen.push(await versionOf())
    }
    const { id } = await make({ type })
    await says('MFA_REQUIRED')
    await write(id, { rules: [{ requirement: 'MFA_OPTIONAL' }] })
    await says('MFA_OPTIONAL')
    await write(id, { conditions: { role: 'UNKNOWN' } })
    await says(null)
    await write(id, { conditions: {}, effect: 'DENY' })
    await says('DENY')
    await write(id, { enabled: false })
    await says(null)
    await write(id, { enabled: true, effect: 'ALLOW' })
    await says('MFA_OPTIONAL')
    expect((await service.api('DELETE', `${POLICIES}/${id}`, { token: owner.token })).status).toBe(200)
    await says(null)
    expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0) + index))
  })

  it('applies no outdated policies during concurrent changes', async () => {
    const { id } = await make()
    let going = true
    const asking = atOnce(4, async () => {
      while (going) await ask()
    })
    for (let round = 0; round < 20; round++) {
      await write(id, { effect: 'DENY' })
      expect(new Set(await atOnce(3, () => requirementOf()))).toEqual(new Set(['DENY']))
      await write(id, { effect: 'ALLOW' })
      expect(new Set(await atOnce(3, () => requirementOf()))).toEqual(new Set(['MFA_REQUIRED']))
    }
    going = false
    await asking
  })

  it('reads policies once after a change for concurrent sign-ins', async () => {
    await make()
    expect(await atOnce(CONCURRENT, () => requirementOf())).toEqual(Array(CONCURRENT).fill('MFA_REQUIRED'))
    expect(statements.filter((name) => name === 'policies.sign_on')).toHaveLength(1)
    expect(statements).toHaveLength(CONCURRENT + 1)
  })

  it("evaluates the team's own policies only", async () => {
    const other = await registerUser(service)
    await make({ effect: 'DENY' })
    expect((await ask({}, other.teamId)).verdict).toBe('ALLOW')
    expect((await ask()).verdict).toBe('DENY')
  })

  it('evaluates the resource and action of a sign-in', async () => {
    await make({ resource: 'application:*', effect: 'DENY' })
    await make({ actions: ['read'], effect: 'DENY' })
    expect(await requirementOf()).toBe(null)
    const application = { resource: 'application:7', context: {} } as const
    const said = await service.db.transaction((tx) => decide(tx, owner.teamId as TeamId, application))
    expect(said.verdict).toBe('DENY')
  })

  it('matches no condition on an unknown attribute', async () => {
    await make({ rules: [{ requirement: 'MFA_REQUIRED', conditions: { knownDevice: false, geoLocations: ['de'] } }] })
    expect(await requirementOf({ knownDevice: false, geoLocation: 'DE' })).toBe('MFA_REQUIRED')
    expect(await requirementOf({ knownDevice: true, geoLocation: 'DE' })).toBe(null)
    expect(await requirementOf({ knownDevice: false })).toBe(null)
  })

  it('fails for a team that was deleted concurrently', async () => {
    await expect(ask({}, '01890000-0000-7000-8000-000000000000')).rejects.toMatchObject({
      code: 'organization_not_found',
    })
  })

  describe('with many policies', () => {
    const large = { type: 'SIGN_ON', rules: rulesOf(45_000) }
    /** Copies the policy, like an earlier version that stored any number. */
    const copy = (id: string, count: number) =>
      service.sql(
        `INSERT INTO policies SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).* FROM policies p,
         generate_series(1, $2::int) WHERE p.id = $1`,
        [id, count],
      )

    it('compiles a large set outside of the transaction, which is retried', async () => {
      const { id } = await make({ ...large, conditions: {} })
      await copy(id, 9)
      const asked = (mayCompile: boolean) =>
        service.db.transaction((tx) =>
          decide(counted(tx), owner.teamId as TeamId, { resource: 'sign-in', context: {} }, mayCompile),
        )
      const rejected: unknown = await asked(false).catch((error: unknown) => error)
      expect(rejected).toBeInstanceOf(SignOnNotCompiled)
      await (rejected as SignOnNotCompiled).compile()
      expect((await asked(false)).verdict).toBe('ALLOW')
      expect(statements).toEqual(['policies.sign_on_state', 'policies.sign_on_state'])
    })

    it('reads and compiles outside of the password sign-in transaction, which locks the account', async () => {
      const { id } = await make(large)
      await copy(id, 9)
      const { email, password, teamId } = owner
      for (const fields of [{ teamId }, {}]) {
        await write(id, { name: `Policy ${Object.keys(fields).length}` })
        const body = { email, password, ...fields }
        const request = { body, node: 0 }
        const { result, transactions } = await recordStatements(() =>
          service.api('POST', '/api/v1/auth/login', request),
        )
        expect([result.status, result.body.team?.id]).toEqual([200, teamId])
        const reading = transactions.filter((statements) =>
          statements.some((sql) => sql.includes('p.enabled, p.rules')),
        )
        expect(reading.map(({ length }) => length)).toEqual([1])
      }
    })

    it('rejects more than 512 KiB, but allows reducing a larger set from an earlier version', async () => {
      const { token } = owner
      const { id } = await make(large)
      const more = { name: 'One more', resource: 'sign-in', actions: ['login'], ...large }
      const oneMore = () => service.api('POST', POLICIES, { token, body: more })
      let rejected = await oneMore()
      for (let count = 0; count < 20 && rejected.status === 201; count++) rejected = await oneMore()
      expect([rejected.status, rejected.body.code]).toEqual([409, 'limit_reached'])
      expect(rejected.body.detail).toMatch(/ 5\d{5} bytes; the limit is 524288$/)
      const disabled = await service.api('POST', POLICIES, { token, body: { ...more, enabled: false } })
      expect(disabled.status).toBe(201)
      await makePolicy(service, owner, { rules: large.rules })
      const enabling = { token, body: { enabled: true } }
      expectError(await service.api('PUT', `${POLICIES}/${disabled.body.id}`, enabling), 409, 'limit_reached')

      await copy(id, 9)
      await write(id, { name: 'Renamed' })
      await write(id, { rules: rulesOf(20_000) })
      const larger = { token, body: { rules: rulesOf(21_000) } }
      expectError(await service.api('PUT', `${POLICIES}/${id}`, larger), 409, 'limit_reached')
    })
  })
})
