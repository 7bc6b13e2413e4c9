import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInBrowser } from '../../../../test/doubles/relying-party.js'
import {
  formOf,
  postForm,
  redirectPath,
  responseOf,
  startServiceProvider,
  statusesOf,
  type TestServiceProvider,
} from '../../../../test/doubles/saml-service-provider.js'
import {
  addColleague,
  expectError,
  joinTeam,
  makePolicy,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import {
  expectUnnamed,
  received,
  type TestVisitor,
  unconfirmedVisitors,
} from '../../../../test/factories/unconfirmed-visitors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let owner: TestUser
let visitors: [who: string, TestVisitor][]
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
  visitors = await unconfirmedVisitors(service, owner)
})
afterAll(() => service.close())

const HTML = { accept: 'text/html,*/*;q=0.8' }
const visit = (path: string, cookies: Record<string, string>) => service.api('GET', path, { headers: HTML, cookies })
const passive = (fields: Record<string, unknown> = {}, peer: Record<string, unknown> = {}) =>
  startServiceProvider(service, owner, fields, { passive: true, ...peer })
const deny = (sp: TestServiceProvider) =>
  makePolicy(service, owner, { type: 'SIGN_ON', resource: `application:${sp.id}`, actions: ['login'], effect: 'DENY' })
const entriesOf = ({ id }: TestServiceProvider) =>
  service.sql<{ result: string; user_id: string | null; metadata: Record<string, unknown> }>(
    "SELECT result, user_id, metadata FROM audit_entries WHERE action = 'application.saml_signed_in' AND resource = $1",
    [`application:${id}`],
  )

/** A page with the response, without the IDs, times and signatures that each response has of its own. */
function comparable(answer: Parameters<typeof received>[0]) {
  const { status, headers, text } = received(answer)
  const { fields } = formOf(answer)
  const xml = responseOf(answer)
    .replace(/ (ID|InResponseTo|IssueInstant|URI)="[^"]*"/g, ' $1=""')
    .replace(/<ds:(DigestValue|SignatureValue)>[^<]*/g, '<ds:$1>')
  return { status, headers, xml, page: text.replace(fields.SAMLResponse ?? '', ''), names: Object.keys(fields) }
}

describe('IsPassive for a visitor about whom the team may learn nothing', () => {
  const applications: [what: string, make: () => Promise<TestServiceProvider>][] = [
    ['open to the team', () => passive()],
    ['open to assigned users', () => passive({ assignmentRequired: true })],
    ['with ForceAuthn', () => passive({}, { forceAuthn: true })],
    [
      'closed by a policy',
      async () => {
        const sp = await passive()
        await deny(sp)
        return sp
      },
    ],
  ]

  it.each(applications)(
    'returns the same NoPassive as for a visitor without a session (application %s)',
    async (_what, make) => {
      const sp = await make()
      const first = await visit(await redirectPath(service, sp), {})
      expect(statusesOf(responseOf(first))).toEqual(['Responder', 'NoPassive'])
      const expected = comparable(first)
      for (const [who, { cookies, user }] of visitors) {
        expect(comparable(await visit(await redirectPath(service, sp), cookies)), who).toEqual(expected)
        if (user) await expectUnnamed(service, owner, user)
      }
      const entry = { result: 'FAILURE', user_id: null, metadata: { reason: 'no_passive' } }
      expect(await entriesOf(sp)).toEqual([entry, ...visitors.map(() => entry)])
    },
  )

  it('returns it over the POST binding too', async () => {
    const sp = await passive()
    const submit = async (cookies: Record<string, string>) =>
      service.api('POST', `${sp.idp}/sso`, {
        raw: (await postForm(sp)).toString(),
        headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded', origin: 'https://sp.example' },
        cookies,
      })
    const begun = await submit({})
    expect(begun.status).toBe(303)
    const expected = comparable(await visit((begun.headers.get('location') ?? '').slice(service.baseUrl.length), {}))
    for (const [who, { cookies }] of visitors)
      if ('keyward_sso' in cookies) expect(comparable(await submit(cookies)), who).toEqual(expected)
  })
})

describe('IsPassive for a member', () => {
  it('returns the specific status in an unrestricted session of a confirmed member, and records the user', async () => {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    await joinTeam(service, user, owner.teamId)
    const { cookies } = await signInBrowser(service, user)
    const sp = await passive({ assignmentRequired: true })
    const answer = await visit(await redirectPath(service, sp), cookies)
    expect(statusesOf(responseOf(answer))).toEqual(['Responder', 'RequestDenied'])
    expect(await entriesOf(sp)).toEqual([
      { result: 'DENIED', user_id: user.id, metadata: { reason: 'application_access_denied' } },
    ])
  })

  it('returns the specific status in a session that is restricted to the team', async () => {
    const { cookies } = await signInBrowser(service, await addColleague(service, owner))
    const open = await passive()
    expect(statusesOf(responseOf(await visit(await redirectPath(service, open), cookies)))).toEqual(['Success'])
    const sp = await passive({ assignmentRequired: true })
    const answer = await visit(await redirectPath(service, sp), cookies)
    expect(statusesOf(responseOf(answer))).toEqual(['Responder', 'RequestDenied'])
  })
})

describe('a request of a visitor about whom the team may learn nothing', () => {
  it('leads to a page of the service and never back to the application, which would learn of the session', async () => {
    const sp = await startServiceProvider(service, owner, { assignmentRequired: true })
    for (const [who, { user, token, cookies }] of visitors) {
      const answer = await visit(await redirectPath(service, sp), cookies)
      expect([302, 403], who).toContain(answer.status)
      expect(answer.text).not.toContain('SAMLResponse')
      if (answer.status === 302) {
        expect(new URL(answer.headers.get('location') ?? '').pathname, who).toBe('/login')
        continue
      }
      expect(answer.text, who).toContain('application_access_denied')
      if (user) await expectUnnamed(service, owner, user)
      // The sign-in page continues a request that started without a session.
      const begun = await visit(await redirectPath(service, sp), {})
      const [, request] = (new URL(begun.headers.get('location') ?? '').searchParams.get('saml') ?? '').split(':')
      const read = await service.api('GET', `${sp.idp}/requests/${request}`, { token })
      expectError(read, 403, 'application_access_denied')
      if (user) await expectUnnamed(service, owner, user)
    }
    const denied = (await entriesOf(sp)).map(({ user_id, result }) => ({ user_id, result }))
    expect(denied).toEqual(Array.from({ length: 4 }, () => ({ user_id: null, result: 'DENIED' })))
  })
})

describe('an error page for a visitor', () => {
  it('creates an audit entry that does not name a user without a confirmed membership', async () => {
    const sp = await startServiceProvider(service, owner)
    const start = await visit(`${sp.idp}/start`, {})
    expect(start.status).toBe(403)
    for (const [who, { user, cookies }] of visitors) {
      if (!user) continue
      for (const path of [`${sp.idp}/start`, `${sp.idp}/sso?resume=nothing`, `${sp.idp}/sso?SAMLRequest=nonsense`])
        expect((await visit(path, cookies)).status, `${who} ${path}`).toBeGreaterThanOrEqual(400)
      await expectUnnamed(service, owner, user)
    }
    expect(new Set((await entriesOf(sp)).map(({ user_id }) => user_id))).toEqual(new Set([null]))
  })
})
