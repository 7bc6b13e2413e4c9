import type { Benchmark } from '../harness/benchmark.js'
import { number, type Table, withRange } from '../harness/report.js'
import { type Spread, spread } from '../harness/rounds.js'
import { Client } from '../harness/server-library.js'
import { type RunningService, startService } from '../harness/service.js'
import { type BenchUser, registerUsers, renewSessions } from '../harness/users.js'

const ENTRIES = 1_000_000
const OTHERS = 200_000

/**
 * Inserts a million entries of one team over 365 days, and 200,000 of fifty other teams, with the daily counts of sealed entries. The
 * seals are left out because no measured request reads them. Triggers are off, so that it takes only a minute.
 */
const GENERATE = (team: string) => `
  SET session_replication_role = replica;
  INSERT INTO audit_entries (id, team_id, user_id, action, resource, result, metadata, ip_address, user_agent, request_id, created_at)
  SELECT gen_random_uuid(), CASE WHEN n <= ${ENTRIES} THEN '${team}' ELSE md5((n % 50)::text)::uuid END, md5('user ' || n * 7919 % 5000)::uuid,
    (ARRAY['user.login', 'application.token_issued', 'session.refreshed', 'application.signed_in', 'user.logout', 'access.denied'])[1 + n % 6],
    CASE WHEN n % 3 = 0 THEN 'application:' || md5('a' || n % 40)::uuid ELSE 'user:' || md5('user ' || n * 13 % 5000)::uuid END,
    (ARRAY['SUCCESS', 'SUCCESS', 'SUCCESS', 'FAILURE', 'DENIED'])[1 + n * 17 % 5], '{"kind": "password"}', '203.0.113.' || n * 7 % 250,
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/' || 100 + n % 40, gen_random_uuid()::text,
    date_trunc('milliseconds', timestamptz '2025-01-01Z' + (n * 104729 % 31536000) * interval '1 second')
  FROM generate_series(1::bigint, ${ENTRIES + OTHERS}) n;
  INSERT INTO audit_daily SELECT team_id, (created_at AT TIME ZONE 'UTC')::date, action, result, count(*) FROM audit_entries
    WHERE team_id IS NOT NULL AND created_at < '2026-01-01Z' GROUP BY 1, 2, 3, 4;
  RESET session_replication_role`

const DATES = 'startDate=2025-01-01&endDate=2025-12-31'
const PAGES: [name: string, path: string][] = [
  ['first page', `logs?${DATES}`],
  ['middle page', `logs?${DATES}&page=10000`],
  ['last page', `logs?${DATES}&page=20000`],
  ['action, middle page', `logs?${DATES}&action=user.login&page=1666`],
  ['result, middle page', `logs?${DATES}&result=DENIED&page=2000`],
  ['one day and a half', 'logs?startDate=2025-06-01T12:00:00Z&endDate=2025-06-02'],
  ['one user', `logs?${DATES}&userId=`],
  ['one resource', `logs?${DATES}&resource=application:`],
  ['q, full scan', `logs?${DATES}&q=chrome/13`],
  ['stats, 365 days', `stats?${DATES}`],
]

const naive = (team: string): [name: string, sql: string][] => [
  ['naive count', `SELECT count(*) FROM audit_entries WHERE team_id = '${team}'`],
  [
    'naive offset 500,000',
    `SELECT * FROM audit_entries WHERE team_id = '${team}' ORDER BY created_at DESC, id DESC LIMIT 50 OFFSET 500000`,
  ],
  [
    'naive offset 999,950',
    `SELECT * FROM audit_entries WHERE team_id = '${team}' ORDER BY created_at DESC, id DESC LIMIT 50 OFFSET 999950`,
  ],
  [
    'naive stats, 365 days',
    `SELECT (created_at AT TIME ZONE 'UTC')::date, action, result, count(*) FROM audit_entries WHERE team_id = '${team}' GROUP BY 1, 2, 3`,
  ],
]

async function milliseconds(rounds: number, act: () => Promise<unknown>): Promise<Spread> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await act()
    times.push(performance.now() - start)
  }
  return spread(times)
}

async function get(service: RunningService, user: BenchUser, path: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${service.port}/api/v1/audit/${path}`, {
    headers: { authorization: `Bearer ${user.accessToken}` },
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} responded ${response.status} ${text.slice(0, 200)}`)
}

export const auditLog: Benchmark = {
  name: 'audit-log',
  title: 'Audit log of a million entries',
  async run(settings) {
    const service = await startService(settings.build, 'PostgreSQL')
    // A separate connection, because those of the service have a statement timeout of five seconds.
    const client = new Client({ connectionString: service.database?.url ?? '' })
    await client.connect()
    try {
      const [user] = await registerUsers(service, 1)
      if (!user) throw new Error('no user was registered')
      const [row] = await service.sql<{ id: string }>(
        'SELECT organization_id AS id FROM memberships WHERE user_id = $1',
        [user.id],
      )
      const team = row?.id ?? ''
      await client.query(GENERATE(team))
      await client.query('VACUUM ANALYZE audit_entries')
      await client.query('ANALYZE audit_daily')
      await renewSessions(service, [user])
      const [some] = await service.sql<{ user: string; resource: string }>(
        `SELECT user_id AS user, resource FROM audit_entries WHERE team_id = $1 AND resource LIKE 'application:%' LIMIT 1`,
        [team],
      )
      const rows: string[][] = []
      const rounds: Record<string, Spread> = {}
      const add = async (name: string, act: () => Promise<unknown>) => {
        const measured = await milliseconds(settings.rounds, act)
        rounds[name] = measured
        rows.push([name, withRange(measured)])
      }
      for (const [name, path] of PAGES) {
        const whole = path
          .replace(/userId=$/, `userId=${some?.user}`)
          .replace(/resource=application:$/, `resource=${some?.resource}`)
        await add(name, () => get(service, user, whole))
      }
      for (const [name, text] of naive(team)) await add(name, () => client.query(text))
      const slowest = Math.max(...PAGES.slice(0, 3).map(([name]) => rounds[name]?.median ?? Number.NaN))
      const table: Table = { columns: ['request', 'ms (range)'], rows }
      return {
        workload: `${ENTRIES.toLocaleString('en-US')} entries of one team over 365 days, ${OTHERS.toLocaleString('en-US')} of 50 others. Pages of 50 with their exact total, over HTTP, one request after the other; the naive statements directly on the database.`,
        tables: [table],
        aims: [
          {
            what: 'first, middle and last page without filters',
            aim: 'under 100 ms',
            measured: `${number(slowest)} ms`,
            reached: slowest < 100,
          },
        ],
        rounds,
      }
    } finally {
      await client.end()
      await service.stop()
    }
  },
}
