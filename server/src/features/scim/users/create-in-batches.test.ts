import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  invite,
  newEmail,
  patiently,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { type Directory, ENTERPRISE, expectScimError, makeDirectory, USER } from '../../../../test/factories/scim.js'
import { entriesOf } from '../../../../test/harness/audit-entries.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let owner: TestUser
let directory: Directory
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
  directory = await makeDirectory(service, owner)
})
afterAll(() => service.close())

const post = (user: Record<string, unknown>, by = directory) =>
  patiently(() => by.call('POST', '/Users', { schemas: [USER], ...user }))

const entriesAbout = (id: string) =>
  entriesOf<{ action: string; metadata: object; request_id: string }>(
    service,
    'SELECT action, metadata, request_id FROM audit_entries WHERE resource = $1 ORDER BY id',
    [`user:${id}`],
  )

it('creates many concurrent users with the sent attributes and an audit entry each', async () => {
  const sent = Array.from({ length: CONCURRENT }, (_, n) => ({
    userName: n % 3 === 0 ? `name-${n}-${newEmail()}`.replace('@', ' at ') : newEmail(),
    emails: [{ value: newEmail(), type: 'work', primary: true }],
    name: { givenName: `Ada “${n}”`, familyName: "O'Hara\\", middleName: 'B.' },
    title: n % 2 === 0 ? 'Admiral' : undefined,
    active: n % 5 !== 0,
    externalId: `crowd-${n}`,
    locale: 'de-AT',
    phoneNumbers: [{ value: `+43 ${n}`, type: 'mobile' }],
    [ENTERPRISE]: { department: 'R&D', employeeNumber: `${n}` },
  }))
  const answers = await atOnce(CONCURRENT, (n) => post(sent[n] ?? {}))
  for (const [n, answer] of answers.entries()) {
    expect(answer.status, answer.text).toBe(201)
    const { schemas: _, id, meta, ...said } = answer.body
    expect(said).toEqual(JSON.parse(JSON.stringify(sent[n])))
    expect((await directory.call('GET', `/Users/${id}`)).body).toEqual(answer.body)
    const source = { method: 'scim', token: directory.tokenId }
    const entries = await entriesAbout(id)
    expect(entries).toEqual([
      expect.objectContaining({ action: 'user.created', metadata: { email: expect.any(String), ...source } }),
      expect.objectContaining({
        action: 'member.added',
        metadata: { role: 'MEMBER', status: n % 5 === 0 ? 'suspended' : 'active', ...source },
      }),
    ])
    expect(entries.map(({ request_id }) => request_id)).toEqual(
      Array.from({ length: 2 }, () => answer.headers.get('x-request-id')),
    )
    expect(meta.location).toMatch(`/Users/${id}`)
  }
  // Repeated users are processed individually, and nothing changes.
  const [first] = answers
  expect((await post(sent[0] ?? {})).body).toEqual(first?.body)
  expect(await entriesAbout(first?.body.id)).toHaveLength(2)
})

it('rejects only the invalid users among concurrent ones', async () => {
  const taken = { userName: 'taken name', emails: [{ value: newEmail() }], externalId: 'taken' }
  expect((await post(taken)).status).toBe(201)
  const answers = await atOnce(30, (n) =>
    post({
      userName: newEmail(),
      ...(n === 7 && { externalId: 'taken' }),
      ...(n === 14 && { ...taken, externalId: undefined, emails: [{ value: newEmail() }] }),
      ...(n === 21 && { name: { givenName: 'x'.repeat(500) } }),
    }),
  )
  const rejected = answers.filter(({ status }) => status !== 201)
  expect(rejected.map(({ status }) => status).sort()).toEqual([400, 409, 409])
  for (const answer of [answers[7], answers[14]]) if (answer) expectScimError(answer, 409, 'uniqueness')
  const [accounts] = await service.sql<{ left: number }>(
    'SELECT count(*)::int AS left FROM users u WHERE NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id)',
  )
  expect(accounts?.left).toBe(0)
})

it('rejects only the user with a taken userName among otherwise valid ones', async () => {
  const userName = `taken ${newEmail().replace('@', ' at ')}`
  expect((await post({ userName, emails: [{ value: newEmail() }] })).status).toBe(201)
  const answers = await atOnce(10, (n) =>
    post(n === 5 ? { userName, emails: [{ value: newEmail() }] } : { userName: newEmail() }),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n === 5 ? 409 : 201)))
})

it('creates concurrent users of two teams in each team, including those of both', async () => {
  const other = await registerUser(service)
  const directories = [directory, await makeDirectory(service, other)]
  const common = Array.from({ length: 4 }, () => newEmail('common'))
  // Alternating, so that the users of both teams arrive in turn.
  await atOnce(8, async (n) => {
    const by = directories[n % 2]
    for (const userName of [newEmail(), newEmail(), common[n >> 1], newEmail(), newEmail()]) {
      const { status, text, body } = await post({ userName, externalId: userName, title: `Team ${n % 2}` }, by)
      expect(status, text).toBe(201)
      expect(body).toMatchObject({ userName, title: `Team ${n % 2}` })
      expect((await by?.call('GET', `/Users/${body.id}`))?.body).toEqual(body)
    }
  })
  expect((await directories[1]?.call('GET', '/Users?count=0'))?.body.totalResults).toBe(21)
})

it('creates concurrent users while there are seats, and not one more', async () => {
  const user = await registerUser(service)
  const own = await makeDirectory(service, user)
  await service.sql('UPDATE organizations SET max_members = 11 WHERE id = $1', [user.teamId])
  const sent = Array.from({ length: CONCURRENT }, () => newEmail('seat'))
  const answers = await atOnce(CONCURRENT, (n) => post({ userName: sent[n] }, own))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  for (const answer of answers.filter(({ status }) => status !== 201)) expectScimError(answer, 409)
  const [made] = await service.sql<{ count: number }>(
    'SELECT count(*)::int AS count FROM users WHERE email = ANY($1::text[])',
    [sent],
  )
  expect(made?.count).toBe(10)
})

it('revokes a pending invitation of a user who is created in a batch', async () => {
  const invited = newEmail('invited')
  const { id } = await invite(service, owner, invited)
  const answers = await atOnce(10, (n) => post({ userName: n === 5 ? invited : newEmail() }))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await service.sql('SELECT status FROM invitations WHERE id = $1', [id])).toEqual([{ status: 'REVOKED' }])
  const [entry] = await service.sql<{ request_id: string }>(
    'SELECT request_id FROM audit_entries WHERE resource = $1 AND action = $2',
    [`invitation:${id}`, 'invitation.revoked'],
  )
  expect(entry?.request_id).toBe(answers[5]?.headers.get('x-request-id'))
})
