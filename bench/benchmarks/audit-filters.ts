import type { Benchmark } from '../harness/benchmark.js'
import { number, type Table } from '../harness/report.js'
import { interleave, spread } from '../harness/rounds.js'
import { Client } from '../harness/server-library.js'
import { type RunningService, startService } from '../harness/service.js'
import { type BenchUser, registerUsers, renewSessions } from '../harness/users.js'

const SMALL = 1_000
const LARGE = 1_000_000
/** Requests per batch. */
const REQUESTS = 40
const AIM = 3

const USER = "md5('user 7')::uuid"
const APPLICATION = "'application:' || md5('a7')::uuid"

/**
 * Inserts entries of one team over 365 days: 1,000 users, 40 applications, 250 IP addresses (one of them is that
 * of the registration, whose hash is known), 60 % sign-ins and tokens, 20 % failures. Seals are left out, because no measured request reads them. Triggers are off, so that it takes only a minute.
 */
const generate = (team: string, entries: number) => `
  SET session_replication_role = replica;
  INSERT INTO audit_entries (id, format, team_id, user_id, session_id, ip_address, ip_hash, sealed_origin, country, agent_id, action, resource, result, metadata, risk_score,
    request_id, created_at)
  SELECT gen_random_uuid(), 2, '${team}', CASE WHEN n % 10 > 0 THEN md5('user ' || n * 7919 % 1000)::uuid END, CASE WHEN n % 10 > 0 THEN md5('session ' || n / 5)::uuid END,
    CASE WHEN n % 10 = 0 THEN '203.0.113.' || n * 7 % 250 END,
    CASE WHEN n % 10 > 0 THEN CASE WHEN n * 7 % 250 = 7 THEN (SELECT ip_hash FROM audit_entries WHERE team_id = '${team}' AND ip_hash IS NOT NULL LIMIT 1)
      ELSE decode(md5('${team}' || n * 7 % 250), 'hex') END END,
    CASE WHEN n % 10 > 0 THEN decode(repeat(md5(n::text), 9), 'hex') END, 'DE', CASE WHEN n % 50 = 0 THEN md5('agent ' || n / 50 % 10)::uuid END,
    (ARRAY['user.login', 'application.token_issued', 'session.refreshed', 'application.signed_in', 'user.logout', 'access.denied'])[1 + n % 6],
    CASE WHEN n % 3 = 0 THEN 'application:' || md5('a' || n * 11 % 40)::uuid WHEN n % 97 = 0 THEN 'policy:' || md5('p' || n % 7)::uuid
      ELSE 'user:' || md5('user ' || n * 13 % 1000)::uuid END,
    (ARRAY['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'FAILURE', 'DENIED'])[1 + n * 17 % 10],
    '{"kind": "password"}', CASE WHEN n % 6 = 0 THEN n * 31 % 71 END, 'request ' || n,
    date_trunc('milliseconds', timestamptz '2025-01-01Z' + (n * 104729 % 31536000) * interval '1 second')
  FROM generate_series(1::bigint, ${entries}) n;
  INSERT INTO audit_daily SELECT team_id, (created_at AT TIME ZONE 'UTC')::date, action, result, count(*) FROM audit_entries
    WHERE team_id = '${team}' AND created_at < '2026-01-01Z' GROUP BY 1, 2, 3, 4;
  RESET session_replication_role`

/** The users of the entries, as members of the team: "person-7" is part of 111 email addresses. */
const members = (team: string) => `
  INSERT INTO users (id, email, status, self_registered, created_at, updated_at)
    SELECT md5('user ' || n)::uuid, 'person-' || n || '@corp.example', 'active', false, now(), now() FROM generate_series(0, 999) n
    ON CONFLICT DO NOTHING;
  INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
    SELECT gen_random_uuid(), md5('user ' || n)::uuid, '${team}', 'MEMBER', 'active', true, now(), now() FROM generate_series(0, 999) n`

const FILTERS = [
  '',
  'userId=USER',
  'agentId=AGENT',
  'action=user.login',
  'result=FAILURE',
  'resource=APPLICATION',
  'resource=user:',
  'resource=policy:',
  'ipAddress=127.0.0.1',
  'ipAddress=203.0.113.10',
  'sessionId=SESSION',
  'requestId=request 7',
  'minRisk=1',
  'minRisk=70',
  'userId=USER&action=user.login',
  'q=denied',
  'q=user',
  'q=127.0.0.1',
  'q=USER',
  'q=SESSION',
  'q=person-77@',
  'q=person-7',
  'q=corp.example',
  'q=nowhere',
  'page=20',
  'startDate=2025-11-29T10:00:00Z&endDate=2025-12-01T11:30:00Z',
]

interface Log {
  service: RunningService
  user: BenchUser
}

/** Returns the processor time of a page in µs, of the service and of the database. */
async function cost({ service, user }: Log, query: string): Promise<number> {
  const used = async () => (await service.usage()).micros + ((await service.database?.micros()) ?? Number.NaN)
  const before = await used()
  for (let request = 0; request < REQUESTS; request++) {
    const response = await fetch(
      `http://127.0.0.1:${service.port}/api/v1/audit/logs?${query.includes('startDate') ? '' : 'startDate=2025-01-01&endDate=2025-12-31&'}${query}`,
      {
        headers: { authorization: `Bearer ${user.accessToken}` },
      },
    )
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${query} responded ${response.status} ${text.slice(0, 200)}`)
  }
  return ((await used()) - before) / REQUESTS
}

export const auditFilters: Benchmark = {
  name: 'audit-filters',
  title: 'Processor time of a page of the audit log, by filter',
  async run(settings) {
    const service = await startService(settings.build, 'PostgreSQL')
    // A separate connection, because those of the service have a statement timeout of five seconds.
    const client = new Client({ connectionString: service.database?.url ?? '' })
    await client.connect()
    try {
      const users = await registerUsers(service, 2)
      for (const [index, entries] of [SMALL, LARGE].entries()) {
        const [team] = await service.sql<{ id: string }>(
          'SELECT organization_id AS id FROM memberships WHERE user_id = $1',
          [users[index]?.id],
        )
        await client.query(members(team?.id ?? ''))
        await client.query(generate(team?.id ?? '', entries))
      }
      await client.query('VACUUM ANALYZE audit_entries')
      await client.query('VACUUM ANALYZE memberships')
      await client.query('ANALYZE audit_daily')
      await renewSessions(service, users)
      const [names = {}] = await service.sql<Record<string, string>>(
        `SELECT ${USER} AS "USER", md5('agent 7')::uuid AS "AGENT", md5('session 7')::uuid AS "SESSION", ${APPLICATION} AS "APPLICATION"`,
      )
      const [small, large] = users.map((user) => ({ service, user }))
      if (!small || !large) throw new Error('no users were registered')
      const rows: string[][] = []
      const rounds: Record<string, ReturnType<typeof spread>> = {}
      const ratios: number[] = []
      for (const filter of FILTERS) {
        if (settings.only && !filter.includes(settings.only)) continue
        const query = filter.replace(/[A-Z]{4,}/g, (name) => names[name] ?? name)
        await cost(small, query)
        const samples = await interleave(
          [
            { name: 'small', batch: () => cost(small, query) },
            { name: 'large', batch: () => cost(large, query) },
          ],
          settings.rounds,
        )
        const [of, other] = [spread(samples.get('small') ?? []), spread(samples.get('large') ?? [])]
        const ratio = other.median / of.median
        ratios.push(ratio)
        rounds[filter || 'no filter'] = other
        rows.push([filter || 'no filter', number(of.median / 1_000), number(other.median / 1_000), number(ratio)])
      }
      const [size] = await service.sql<{ entry: string; indexes: string }>(
        `SELECT pg_table_size('audit_entries') / ${LARGE} AS entry, pg_indexes_size('audit_entries') / ${LARGE} AS indexes`,
      )
      const table: Table = { columns: ['filter', 'ms of 1,000', 'ms of 1,000,000', 'ratio'], rows }
      return {
        workload: `The first page of 50 in the log of a team of 1,000 users over a year, with ${SMALL.toLocaleString('en-US')} and with ${LARGE.toLocaleString('en-US')} entries: processor time per request of the service and of PostgreSQL. An entry has ${size?.entry} bytes, and ${size?.indexes} in indexes.`,
        tables: [table],
        aims: [
          {
            what: 'page of a million entries, for every filter',
            aim: `at most ${AIM} times that of 1,000 entries`,
            measured: `${number(Math.max(...ratios))} times`,
            reached: Math.max(...ratios) <= AIM,
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
