import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  confirm,
  exchangeCode,
  locationOf,
  pkce,
  refresh,
  registerApp,
  type TestApp,
} from '../doubles/relying-party.js'
import { joinTeam, PASSWORD, registerUser, type TestUser } from '../factories/factories.js'
import { startService, type TestService } from '../harness/service.js'
import { LONG } from '../harness/some-of.js'
import { SERVER_URL } from '../harness/test-database.js'

const isRun = LONG && SERVER_URL !== undefined
if (!isRun) process.stdout.write('skipped: the data of a year, which needs DATABASE_URL and npm run test:long\n')

// The traffic that docs/reference/data-growth.md describes.
const USERS = Number(process.env.KEYWARD_YEAR_USERS ?? 1_000)
const DAYS = 365
const CYCLE = 28
/** Days of a cycle on which a user continues the session and the application. */
const VISITS = [1, 3, 6, 8, 10]
const LEAVES_ON = 11
/** Requests that arrive within the five seconds between two runs of the sealing job. */
const TOGETHER = 8
const TOLERANCE = 0.1

const DAY = 24 * 3_600_000
const PAUSE = 6_000

interface Person extends TestUser {
  headers: Record<string, string>
  cookies: Record<string, string>
  /** The refresh tokens of the session and of the application. */
  session: string
  application: string
}

interface Size {
  table: string
  rows: number
  bytes: number
}

describe.runIf(isRun)('a year of a team with a thousand users', () => {
  let service: TestService
  let app: TestApp
  let owner: TestUser
  const people: Person[] = []

  beforeAll(async () => {
    service = await startService({ nodes: 1, env: { TRUST_PROXY: '1', LOG_LEVEL: 'warn' } })
    owner = await registerUser(service)
    app = await registerApp(service, owner)
    for (let index = 0; index < USERS; index++) {
      const user = await registerUser(service)
      await joinTeam(service, user, owner.teamId)
      const ip = `198.18.${index % 250}.${1 + Math.floor(index / 250)}`
      const headers = { 'x-forwarded-for': ip, 'user-agent': `Mozilla/5.0 (X11; Linux x86_64) Browser/${index % 7}` }
      people.push({ ...user, headers, cookies: {}, session: '', application: '' })
    }
  }, 600_000)
  afterAll(() => service?.close())

  async function signIn(person: Person, day: number): Promise<void> {
    const send = (password: string) =>
      service.api('POST', '/api/v1/auth/login', {
        headers: person.headers,
        cookies: person.cookies,
        body: { email: person.email, password, teamId: owner.teamId },
      })
    if (day % 10 === 0) await send('a wrong password')
    const { status, body, cookies, text } = await send(PASSWORD)
    expect(status, text).toBe(200)
    for (const [name, { value }] of Object.entries(cookies)) person.cookies[name] = value
    person.session = body.refreshToken
    const { verifier, challenge } = pkce()
    const asked = { scope: 'openid profile offline_access', code_challenge: challenge, code_challenge_method: 'S256' }
    const next = locationOf(await authorize(service, app, asked, person.cookies))
    const isFirst = next.pathname === '/consent'
    const callback = isFirst
      ? await confirm(service, app, next.searchParams.get('uid') as string, { token: body.accessToken })
      : next
    const code = callback.searchParams.get('code') as string
    expect(code, callback.href).toBeTruthy()
    const tokens = await exchangeCode(service, app, { code, verifier })
    expect(tokens.status, tokens.text).toBe(200)
    person.application = tokens.body.refresh_token
  }

  async function visit(person: Person): Promise<void> {
    const { headers, session } = person
    const continued = await service.api('POST', '/api/v1/auth/refresh', { headers, body: { refreshToken: session } })
    expect(continued.status, continued.text).toBe(200)
    person.session = continued.body.refreshToken
    const refreshed = await refresh(service, app, person.application)
    expect(refreshed.status, refreshed.text).toBe(200)
    person.application = refreshed.body.refresh_token
  }

  async function leave(person: Person): Promise<void> {
    const { headers, session } = person
    const { body } = await service.api('POST', '/api/v1/auth/refresh', { headers, body: { refreshToken: session } })
    await service.api('POST', '/api/v1/auth/logout', { headers, token: body.accessToken })
  }

  /** Returns the act of a person on a day; undefined if there is none. */
  function actOf(person: Person, index: number, day: number): (() => Promise<void>) | undefined {
    const since = (day + index) % CYCLE
    if (since === 0) return () => signIn(person, day)
    if (!person.session) return undefined
    if (VISITS.includes(since)) return () => visit(person)
    // A third of the users sign out; the sessions of the others expire.
    return since === LEAVES_ON && index % 3 === 0 ? () => leave(person) : undefined
  }

  async function live(day: number): Promise<void> {
    const acts = people.map((person, index) => actOf(person, index, day)).filter((act) => act !== undefined)
    let passed = 0
    for (let done = 0; done < acts.length; done += TOGETHER) {
      await Promise.all(acts.slice(done, done + TOGETHER).map((act) => act()))
      await service.clock.advance(PAUSE)
      await service.settle()
      passed += PAUSE
    }
    await service.clock.advance(DAY - passed)
    await service.settle()
    // Autovacuum works in real time, which hardly passes here.
    if (day % 10 === 9) await service.sql('VACUUM ANALYZE')
  }

  /** Returns the size of each table with its indexes and long values. */
  async function sizes(): Promise<Size[]> {
    await service.sql('VACUUM ANALYZE')
    const tables = await service.sql<{ table: string; bytes: string }>(
      `SELECT relname AS table, pg_total_relation_size(oid)::text AS bytes FROM pg_class
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
    )
    const found: Size[] = []
    for (const { table, bytes } of tables) {
      const [counted] = await service.sql<{ rows: number }>(`SELECT count(*)::int AS rows FROM "${table}"`)
      found.push({ table, rows: counted?.rows ?? 0, bytes: Number(bytes) })
    }
    return found
  }

  it('ends within ten percent of the documented size', async () => {
    const before = new Map((await sizes()).map((size) => [size.table, size]))
    for (let day = 0; day < DAYS; day++) await live(day)
    const after = await sizes()
    const grown = after.map(({ table, rows, bytes }) => {
      const { rows: rowsBefore = 0, bytes: bytesBefore = 0 } = before.get(table) ?? {}
      return { table, rows: rows - rowsBefore, bytes: bytes - bytesBefore }
    })
    const total = grown.reduce((sum, { bytes }) => sum + bytes, 0)
    const lines = grown
      .filter(({ bytes }) => bytes > total / 1_000)
      .sort((a, b) => b.bytes - a.bytes)
      .map(({ table, rows, bytes }) => `${table}: ${rows} rows, ${bytes} bytes, ${Math.round(bytes / rows)} per row`)
    process.stdout.write(`A year of ${USERS} users adds ${total} bytes\n${lines.join('\n')}\n`)
    const page = readFileSync(fileURLToPath(new URL('../../../docs/reference/data-growth.md', import.meta.url)), 'utf8')
    const documented = Number(/\*\*(\d+) MB\*\*/.exec(page)?.[1]) * 1e6
    expect(total).toBeGreaterThan(documented * (1 - TOLERANCE))
    expect(total).toBeLessThan(documented * (1 + TOLERANCE))
    const { body } = await service.api('GET', '/api/v1/audit/verify', {
      token: (await service.api('POST', '/api/v1/auth/login', { body: { email: owner.email, password: PASSWORD } }))
        .body.accessToken,
    })
    expect(body).toMatchObject({ valid: true, firstBroken: null })
  }, 7_200_000)
})
