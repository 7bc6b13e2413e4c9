import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CERTIFICATE } from '../../../test/factories/certified-key.js'
import { newEmail, PASSWORD, registerUser, type TestUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const PAGE = resolve(import.meta.dirname, '../../../../docs/reference/metrics.md')

interface Documented {
  type: string
  labels: string[]
}

/** Returns the rows of the table in the documentation by the name of the metric. */
const documented = (): Map<string, Documented> =>
  new Map(
    [...readFileSync(PAGE, 'utf8').matchAll(/^\| `(keyward_\w+)` \| (\w+) \|([^|]*)\| (?:node|shared) \|/gm)].map(
      ([, name = '', type = '', labels = '']) => [
        name,
        { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).sort() },
      ],
    ),
  )

describe('GET /metrics', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService({ nodes: 1 })
    user = await registerUser(service)
    await service.settle()
  })
  afterAll(() => service.close())

  /** Returns the metrics after the shared ones were read again. */
  async function scrape(): Promise<string> {
    await service.clock.advance(11 * 60_000)
    await service.settle()
    return (await service.api('GET', '/metrics')).text
  }
  const sampleOf = (text: string, sample: string): number | undefined => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${sample} `))
    return line === undefined ? undefined : Number(line.slice(sample.length + 1))
  }
  const logIn = (body: object) => service.api('POST', '/api/v1/auth/login', { body })

  it('exposes exactly the documented metrics, with their types and labels', async () => {
    const text = await scrape()
    const exposed = [...text.matchAll(/^# TYPE (keyward_\w+) (\w+)$/gm)].map(([, name, type]) => [name, type])
    expect(exposed.sort()).toEqual([...documented()].map(([name, { type }]) => [name, type]).sort())
    const samples = [...text.matchAll(/^(keyward_\w+?)(_bucket|_sum|_count)?(?:\{(.*)\})? /gm)]
    expect(samples.length).toBeGreaterThan(20)
    for (const [, name = '', suffix = '', labels = ''] of samples) {
      const of = documented().get(name) ?? documented().get(name + suffix)
      const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label).filter((label) => label !== 'le')
      expect([name, names.sort()]).toEqual([name, of?.labels])
    }
  })

  it('has an alert for each documented metric that can show a fault', () => {
    const [, alerts = ''] = readFileSync(PAGE, 'utf8').split('## Alerts')
    const without = [...documented().keys()].filter((name) => !new RegExp(`\\b${name}(_bucket|_sum)?\\b`).test(alerts))
    expect(without).toEqual([
      'keyward_jobs',
      'keyward_mails_waiting',
      'keyward_audit_entries_unsealed',
      'keyward_directory_oldest_sync_timestamp_seconds',
    ])
    for (const [name] of alerts.matchAll(/keyward_[a-z_]+/g))
      expect(documented().has(name.replace(/_(bucket|sum|count)$/, '')) || documented().has(name), name).toBe(true)
  })

  it('counts sign-ins by method and outcome', async () => {
    const countOf = (text: string, method: string, outcome: string) =>
      sampleOf(text, `keyward_sign_ins_total{method="${method}",outcome="${outcome}"}`) ?? 0
    const before = await scrape()
    await logIn({ email: user.email, password: PASSWORD })
    await logIn({ email: user.email, password: 'a wrong password' })
    await logIn({ email: newEmail(), password: PASSWORD })
    await service.api('POST', '/api/v1/auth/verify', { body: { token: 'A'.repeat(43) } })
    const after = await scrape()
    const added = (method: string, outcome: string) =>
      countOf(after, method, outcome) - countOf(before, method, outcome)
    expect([
      added('password', 'succeeded'),
      added('password', 'rejected'),
      added('one_time_token', 'rejected'),
    ]).toEqual([1, 2, 1])
  })

  it('measures password hashes and requests in the documented buckets', async () => {
    const text = await scrape()
    const bucketsOf = (name: string) => [
      ...new Set([...text.matchAll(new RegExp(`^${name}_bucket\\{le="([^"]+)"`, 'gm'))].map(([, le]) => le)),
    ]
    expect(bucketsOf('keyward_http_request_duration_seconds')).toEqual(
      expect.arrayContaining(['0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '5', '+Inf']),
    )
    expect(sampleOf(text, 'keyward_password_hash_duration_seconds_count')).toBeGreaterThan(0)
    // Seconds: all hashes together took less time than this process has run.
    expect(sampleOf(text, 'keyward_password_hash_duration_seconds_sum')).toBeLessThan(process.uptime())
  })

  it('describes the build and the connections to the database', async () => {
    const text = await scrape()
    expect(text).toMatch(
      /^keyward_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+",database="(embedded|postgresql)"\} 1$/m,
    )
    expect(sampleOf(text, 'keyward_database_connections_max')).toBeGreaterThan(0)
    const states = ['used', 'idle'].map(
      (state) => sampleOf(text, `keyward_database_connections{state="${state}"}`) ?? 0,
    )
    expect(states.reduce((sum, count) => sum + count)).toBeGreaterThan(0)
  })

  it('reports the backlog of jobs, mails and seals, and their age', async () => {
    const before = new Date(service.clock.ms() - 3_600_000)
    await service.sql(
      `INSERT INTO jobs (id, kind, payload, run_at, failed_at, created_at) VALUES
         (gen_random_uuid(), 'test.unknown', '{}', $1, NULL, $1), (gen_random_uuid(), 'test.unknown', '{}', $1, $1, $1),
         (gen_random_uuid(), 'mail.send', '{}', now() + interval '10 years', NULL, $1)`,
      [before],
    )
    await service.sql(
      `WITH entry AS (
         INSERT INTO audit_entries (id, action, result, metadata, created_at)
         VALUES ('00000000-0000-7000-8000-000000000001', 'audit.exported', 'SUCCESS', '{}', $1) RETURNING id)
       INSERT INTO audit_pending (entry_id, chain) SELECT id, '00000000-0000-0000-0000-000000000000' FROM entry`,
      [before],
    )
    await service.clock.advance(20_000)
    const { text } = await service.api('GET', '/metrics')
    expect(sampleOf(text, 'keyward_jobs{state="due"}')).toBeGreaterThan(0)
    expect(sampleOf(text, 'keyward_jobs{state="given_up"}')).toBe(1)
    expect(sampleOf(text, 'keyward_jobs{state="scheduled"}')).toBeGreaterThan(5)
    expect(sampleOf(text, 'keyward_mails_waiting')).toBe(1)
    for (const age of ['jobs_oldest_due', 'mails_oldest_waiting', 'audit_oldest_unsealed'])
      expect(sampleOf(text, `keyward_${age}_seconds`), age).toBeGreaterThanOrEqual(3_600)
    expect(sampleOf(text, 'keyward_audit_entries_unsealed')).toBeGreaterThan(0)
    await service.sql("DELETE FROM jobs WHERE kind = 'test.unknown' OR payload = '{}' AND kind = 'mail.send'")
  })

  it('reports the next expiry of each kind of key, without those that have expired', async () => {
    const soon = new Date(service.clock.ms() + 30 * 86_400_000)
    const past = new Date(service.clock.ms() - 1_000)
    // The earlier token has expired.
    const { body: session } = await logIn({ email: user.email, password: PASSWORD })
    const { body: app } = await service.api('POST', '/api/v1/applications', {
      token: session.accessToken,
      body: { name: 'App', type: 'OIDC' },
    })
    await service.sql('UPDATE applications SET saml_sp_certificate = $1 WHERE id = $2', [CERTIFICATE, app.id])
    for (const [state, notAfter] of [
      ['next', soon],
      ['active', past],
    ])
      await service.sql(
        `INSERT INTO saml_keys (id, organization_id, application_id, state, certificate, sealed_private_key, not_after, created_at)
         SELECT gen_random_uuid(), organization_id, id, $2, '', '', $3, $3 FROM applications WHERE id = $1`,
        [app.id, state, notAfter],
      )
    const text = await scrape()
    const earliest = (kind: string) => sampleOf(text, `keyward_earliest_expiry_timestamp_seconds{kind="${kind}"}`)
    expect(earliest('saml_key')).toBeCloseTo(soon.getTime() / 1_000, 2)
    expect(earliest('saml_application_certificate')).toBe(Date.parse('2036-11-19T12:21:06Z') / 1_000)
    expect(earliest('saml_provider_certificate')).toBeUndefined()
    expect(sampleOf(text, 'keyward_expired{kind="saml_key"}')).toBe(1)
    expect(sampleOf(text, 'keyward_expired{kind="saml_provider_certificate"}')).toBe(0)
    await service.sql('DELETE FROM saml_keys')
  })

  it('reports the outcome and the age of the last syncs of directories', async () => {
    const synced = new Date(service.clock.ms() - 3_600_000)
    await service.sql(
      `WITH directory AS (
         INSERT INTO directories (id, organization_id, enabled, preset, url, start_tls, base_dn, bind_dn, bind_password, user_filter,
           group_filter, attribute_mapping, schedule_minutes, sign_in_enabled, version, saved_permissions, last_sync_at, created_at, updated_at)
         SELECT gen_random_uuid(), organization_id, true, 'openldap', 'ldap://x', false, '', '', '', '', '', '{}', 15, false, 1, '{}', $1, $1, $1
         FROM memberships WHERE user_id = $2 LIMIT 1 RETURNING id, organization_id)
       INSERT INTO directory_runs (id, organization_id, directory_id, status, phase, dry_run, confirm_leavers, scheduled, origin, total, counts,
         failures, planned, created_at)
       SELECT gen_random_uuid(), organization_id, id, status, 'done', dry_run, false, true, '{}', 0, '{}', '[]', '[]', created_at
       FROM directory, (VALUES ('completed', false, $1::timestamptz), ('failed', false, $1::timestamptz + interval '1 minute'),
         ('completed', true, $1::timestamptz + interval '2 minutes')) AS run (status, dry_run, created_at)`,
      [synced, user.id],
    )
    await service.clock.advance(61_000)
    const { text } = await service.api('GET', '/metrics')
    const counts = ['completed', 'failed', 'cancelled', 'never'].map((outcome) =>
      sampleOf(text, `keyward_directories{outcome="${outcome}"}`),
    )
    expect(counts).toEqual([0, 1, 0, 0])
    expect(sampleOf(text, 'keyward_directories_overdue')).toBe(1)
    expect(sampleOf(text, 'keyward_directory_oldest_sync_timestamp_seconds')).toBeCloseTo(synced.getTime() / 1_000, 2)
    await service.sql('DELETE FROM directories')
  })

  it('repeats the last shared values while they cannot be read, and leaves them out after minutes', async () => {
    await scrape()
    await service.sql('ALTER TABLE jobs RENAME TO jobs_away')
    try {
      await service.clock.advance(60_000)
      const during = await service.api('GET', '/metrics')
      expect([during.status, sampleOf(during.text, 'keyward_mails_waiting')]).toEqual([200, 0])
      await service.clock.advance(10 * 60_000)
      const { text } = await service.api('GET', '/metrics')
      expect(sampleOf(text, 'keyward_mails_waiting')).toBeUndefined()
      expect(sampleOf(text, 'keyward_audit_entries_unsealed')).toBeGreaterThanOrEqual(0)
      expect(sampleOf(text, 'keyward_shared_metrics_timestamp_seconds')).toBeLessThan(service.clock.ms() / 1_000 - 600)
      expect(service.logLines.filter((line) => line.includes('metrics were not read'))).toHaveLength(1)
    } finally {
      await service.sql('ALTER TABLE jobs_away RENAME TO jobs')
    }
  })
})
