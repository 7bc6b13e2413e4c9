import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addUser, atOnce, joinMany, joinTeam, newEmail, registerUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Returns teams whose stored number of seats differs from their number of members. */
const wrong = () =>
  service.sql(
    `SELECT o.id FROM organizations o LEFT JOIN team_seats s ON s.organization_id = o.id
     WHERE coalesce(s.taken, 0) <> (SELECT count(*) FROM memberships m WHERE m.organization_id = o.id)`,
  )

it('counts the members of every team in team_seats under all concurrent changes', async () => {
  const owner = await registerUser(service)
  const others = [await registerUser(service), await registerUser(service), await registerUser(service)]
  const added = await atOnce(10, () => addUser(service, owner, { email: newEmail() }))
  await joinMany(
    service,
    Array.from({ length: 3_000 }, () => randomUUID()),
    owner.teamId,
  )
  for (const one of others) {
    await joinTeam(service, one, owner.teamId, { counts: false })
    await joinTeam(service, owner, one.teamId, { counts: false })
  }
  expect(await wrong()).toEqual([])
  const seats = () =>
    service.sql<{ taken: number }>('SELECT taken FROM team_seats WHERE organization_id = $1', [owner.teamId])
  expect(await seats()).toEqual([{ taken: 3_014 }])

  const removals = await atOnce(10, (n) =>
    service.api('DELETE', `/api/v1/users/${added[n]?.id}`, { token: owner.token }),
  )
  expect(new Set(removals.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await seats()).toEqual([{ taken: 3_004 }])
  // Deleted accounts and teams include their memberships.
  await service.sql(
    "DELETE FROM users WHERE id IN (SELECT user_id FROM memberships WHERE organization_id = $1 AND role = 'MEMBER' LIMIT 1000)",
    [owner.teamId],
  )
  await service.sql('DELETE FROM organizations WHERE id = $1', [others[0]?.teamId])
  expect(await seats()).toEqual([{ taken: 2_004 }])
  expect(await wrong()).toEqual([])
})
