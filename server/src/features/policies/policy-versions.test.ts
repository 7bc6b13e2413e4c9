import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atOnce, CONCURRENT, makePolicy, registerUser, type TestUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const POLICIES = '/api/v1/policies'
const QUESTION = { resource: 'documents/42', action: 'read' }

/** With two nodes on PostgreSQL one writes and the other decides; otherwise one node does both. */
describe('compiled policies of a node', () => {
  let service: TestService
  let owner: TestUser
  let token: string
  let nodes: number

  beforeAll(async () => {
    service = await startService({ nodes: 2 })
    nodes = service.urls.length
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    owner = await registerUser(service)
    token = owner.token
  })

  const decisionOf = async (node: number) => {
    const { status, body } = await service.api('POST', `${POLICIES}/evaluate`, {
      token,
      node: node % nodes,
      body: QUESTION,
    })
    expect(status).toBe(200)
    return body.decision
  }
  const write = async (node: number, id: string, body: unknown) =>
    expect((await service.api('PUT', `${POLICIES}/${id}`, { token, node: node % nodes, body })).status).toBe(200)

  it('discards compiled policies after changes on another node', async () => {
    const { id } = await makePolicy(service, owner)
    for (let round = 0; round < 40; round++) {
      expect(await decisionOf(round + 1)).toBe('ALLOW')
      await write(round, id, { effect: 'DENY' })
      expect(await decisionOf(round + 1)).toBe('DENY')
      await write(round + 1, id, { effect: 'ALLOW' })
      expect(await decisionOf(round)).toBe('ALLOW')
    }
  })

  it('discards compiled policies after a policy was created or deleted on another node', async () => {
    await makePolicy(service, owner)
    for (let round = 0; round < 10; round++) {
      const { status, body } = await service.api('POST', POLICIES, {
        token,
        node: 0,
        body: { name: 'Never', resource: '*', actions: ['*'], effect: 'DENY' },
      })
      expect(status).toBe(201)
      expect(await decisionOf(1)).toBe('DENY')
      await service.api('DELETE', `${POLICIES}/${body.id}`, { token, node: 1 % nodes })
      expect(await decisionOf(0)).toBe('ALLOW')
    }
  })

  it('discards compiled policies after a change during concurrent evaluations on every node', async () => {
    const { id } = await makePolicy(service, owner)
    let going = true
    // They keep the compiled set in use and in compilation at the time of the change.
    const asking = atOnce(6, async (index) => {
      while (going) await decisionOf(index)
    })
    for (let round = 0; round < 20; round++) {
      await write(round, id, { effect: 'DENY' })
      expect(new Set(await atOnce(4, (index) => decisionOf(index)))).toEqual(new Set(['DENY']))
      await write(round + 1, id, { effect: 'ALLOW' })
      expect(new Set(await atOnce(4, (index) => decisionOf(index)))).toEqual(new Set(['ALLOW']))
    }
    going = false
    await asking
  })

  it('reads policies once for many concurrent callers', async () => {
    await makePolicy(service, owner)
    expect(await atOnce(CONCURRENT, () => decisionOf(0))).toEqual(Array(CONCURRENT).fill('ALLOW'))
  })

  it('applies policies to their own team only', async () => {
    const other = await registerUser(service)
    await makePolicy(service, other)
    expect(await decisionOf(0)).toBe('DENY')
    token = other.token
    expect(await decisionOf(0)).toBe('ALLOW')
  })
})
