import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { findChromium } from '../../scripts/find-chromium.mjs'
import type { Benchmark } from '../harness/benchmark.js'
import { startBuiltProgram } from '../harness/built-program.js'
import { createDatabase } from '../harness/database.js'
import { discardLater } from '../harness/leftovers.js'
import { longestTask } from '../harness/main-thread.js'
import { number, withRange } from '../harness/report.js'
import { spread } from '../harness/rounds.js'
import { Client } from '../harness/server-library.js'
import { PASSWORD } from '../harness/users.js'

const USERS = 10_000
const EMAIL = 'owner@example.com'
const THROTTLE = 4

interface Team {
  id: string
  slug: string
}

/** Adds users to the team of the only account. */
async function seed(url: string, team: Team): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `WITH made AS (
       INSERT INTO users (id, email, first_name, last_name, status, self_registered, created_at, updated_at)
       SELECT gen_random_uuid(), 'user' || i || '@example.com', (array['Anna','Bert','Carla','Dieter'])[1 + i % 4], 'Number ' || i, 'active', false, now(), now()
       FROM generate_series(1, $2::int) i RETURNING id)
     INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
     SELECT gen_random_uuid(), id, $1::uuid, 'MEMBER', 'active', true, now(), now() FROM made`,
    [team.id, USERS],
  )
  await client.query('ANALYZE')
  await client.end()
}

/** The acts of an administrator in the list of users, in this order. */
const ACTS: [name: string, act: (page: Page) => Promise<unknown>][] = [
  ['open the list', (page) => page.getByRole('checkbox', { name: 'Select all on this page' }).waitFor()],
  [
    'next page',
    async (page) => {
      await page.getByRole('button', { name: 'Next page' }).click()
      await page.getByText('51–100 of').waitFor()
    },
  ],
  [
    'sort by email',
    async (page) => {
      await page.getByRole('button', { name: 'Email', exact: true }).click()
      await page.getByText('1–50 of').waitFor()
    },
  ],
  [
    'search',
    async (page) => {
      await page.getByRole('searchbox', { name: 'Search name or email' }).pressSequentially('number 77')
      await page.getByText('of 111').waitFor()
    },
  ],
  [
    'filter by status',
    async (page) => {
      await page.getByRole('searchbox', { name: 'Search name or email' }).fill('')
      await page.getByRole('button', { name: 'Filter' }).click()
      await page.getByRole('menuitem', { name: 'Status' }).click()
      await page.getByRole('menuitem', { name: 'Active' }).click()
      await page.getByText('of 10,001').waitFor()
    },
  ],
  [
    'select all matching',
    async (page) => {
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
      await page.getByRole('button', { name: /^Select all 10,/ }).click()
      await page.getByText(/^All 10,\d+ selected$/).waitFor()
    },
  ],
]

/** The time from the navigation until the page is hydrated and accepts input, in ms, with a slower processor. */
async function timeToSignInForm(page: Page, url: string): Promise<number> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Network.setCacheDisabled', { cacheDisabled: true })
  await debug.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE })
  await page.goto(`${url}/login`)
  // The page marks the time.
  const mark = await page.waitForFunction("performance.getEntriesByName('usable')[0]?.startTime")
  return Number(await mark.jsonValue())
}

export const consolePages: Benchmark = {
  name: 'console-pages',
  title: 'Pages of the console',
  async run({ build, rounds }) {
    const executablePath = findChromium()
    if (!executablePath) throw new Error('this benchmark needs Chromium')
    const database = await createDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'keyward-bench-'))
    const discard = discardLater(async () => {
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    })
    const key = randomBytes(32).toString('base64')
    const program = await startBuiltProgram(build, {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: key,
      LOG_LEVEL: 'warn',
    })
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    try {
      const headers = { 'x-keyward-console': '1', origin: program.url }
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      const registered = await context.request.post(`${program.url}/api/v1/auth/register`, {
        headers,
        data: { email: EMAIL, password: PASSWORD },
      })
      const { team } = (await registered.json()) as { team: Team }
      await seed(database.url, team)

      const tasks = new Map(ACTS.map(([name]) => [name, [] as number[]]))
      const signIn: number[] = []
      for (let round = 0; round < rounds; round++) {
        const page = await context.newPage()
        const debug = await context.newCDPSession(page)
        await page.goto(`${program.url}/account`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        for (const [name, act] of ACTS)
          tasks.get(name)?.push(
            await longestTask(page, debug, async () => {
              if (name === ACTS[0]?.[0]) await page.goto(`${program.url}/t/${team.slug}/users`)
              await act(page)
            }),
          )
        await page.close()
        const visitor = await browser.newContext()
        signIn.push(await timeToSignInForm(await visitor.newPage(), program.url))
        await visitor.close()
      }
      const after = ACTS.slice(1).map(([name]) => name)
      const longest = spread(after.flatMap((name) => tasks.get(name) ?? [])).high
      return {
        workload: `Chromium at 1280 px on a list of ${number(USERS)} users, PostgreSQL: the longest task of the main thread in each act, from a trace, in ms. /login: from the navigation until the page is hydrated, with an empty cache and a processor that is ${THROTTLE} times slower.`,
        tables: [
          {
            columns: ['act', 'longest task, ms (range)'],
            rows: [...tasks].map(([name, values]) => [name, withRange(spread(values))]),
          },
          { columns: ['page', 'usable after, ms (range)'], rows: [['/login', withRange(spread(signIn))]] },
        ],
        aims: [
          {
            what: 'the longest task while paging, searching, filtering and selecting',
            aim: '≤ 100 ms',
            measured: `${number(longest)} ms`,
            reached: longest <= 100,
          },
          {
            what: '/login usable',
            aim: '≤ 1,000 ms',
            measured: `${withRange(spread(signIn))} ms`,
            reached: spread(signIn).median <= 1_000,
          },
        ],
        rounds: { tasks: Object.fromEntries(tasks), signIn },
      }
    } finally {
      await browser.close()
      await program.stop()
      await discard()
    }
  },
}
