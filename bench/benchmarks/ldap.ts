import {
  BASE_DN,
  BIND_DN,
  BIND_PASSWORD,
  group,
  HAS_SLAPD,
  person,
  personDn,
  type Slapd,
  startSlapd,
} from '../../server/test/peers/slapd.js'
import type { Benchmark, Settings } from '../harness/benchmark.js'
import { fromBuild } from '../harness/built-library.js'
import { type Child, startChild } from '../harness/child.js'
import { exchangeOnce } from '../harness/http-load.js'
import { discardLater } from '../harness/leftovers.js'
import { profile } from '../harness/profile.js'
import { number, withRange } from '../harness/report.js'
import { type Spread, spread } from '../harness/rounds.js'
import { type RunningService, startService } from '../harness/service.js'
import { registerUsers } from '../harness/users.js'

const USERS = 10_000
const GROUPS = 100
const READER = new URL('../children/ldap-reader.mjs', import.meta.url)
const NO_CHANGE = 'a sync without a change'
const AIM_SECONDS = 3
const INCREMENTAL = 'an incremental sync without a change'

/** One measured read of the directory. */
interface Sample {
  seconds: number
  /** Processor time in milliseconds. */
  cpu: number
  main: number | null
  database: number | null
  /** Peak memory of the process above its memory before the first read, in bytes. */
  growth: number
}

interface Run {
  id: string
  status: string
  error: string | null
  createdAt: string
  finishedAt: string | null
}

const EXPECTED: Record<string, (run: Run & Record<string, unknown>) => boolean> = {
  'the first sync': ({ status, created }) => status === 'completed' && created === USERS,
  [NO_CHANGE]: ({ status, created, updated, unchanged }) =>
    status === 'completed' && created === 0 && updated === 0 && unchanged === USERS,
  [INCREMENTAL]: ({ status, mode, unchanged }) =>
    status === 'completed' && mode === 'incremental' && unchanged === USERS,
}

/** Starts a directory whose first group contains all users, and each other group a hundred. */
async function startDirectory(): Promise<Slapd> {
  const uids = Array.from({ length: USERS }, (_, index) => `p${index}`)
  const some = (no: number) => uids.slice(no * (USERS / GROUPS), (no + 1) * (USERS / GROUPS)).map(personDn)
  const groups = Array.from({ length: GROUPS }, (_, no) => group(`group ${no}`, some(no)))
  return startSlapd({
    ldif: uids.map((uid) => person(uid)).join('') + group('everybody', uids.map(personDn)) + groups.join(''),
    sizeLimit: 'size.soft=500 size.hard=500 size.pr=500 size.prtotal=unlimited',
  })
}

async function measured(
  child: Child,
  before: number,
  database: RunningService['database'],
  read: () => Promise<number>,
) {
  const [from, databaseFrom] = [await child.usage(), await database?.micros()]
  const seconds = await read()
  const [to, databaseTo] = [await child.usage(), await database?.micros()]
  const between = (a: number | null | undefined, b: number | null | undefined) =>
    a == null || b == null ? null : (b - a) / 1_000
  return {
    seconds,
    cpu: (to.micros - from.micros) / 1_000,
    main: between(from.mainMicros, to.mainMicros),
    database: between(databaseFrom, databaseTo),
    growth: to.peak - before,
  }
}

/** Runs three syncs on a new service: the first one, one without a change, and an incremental one. */
async function syncs(
  build: URL,
  { profiles }: Settings,
  slapd: Slapd,
  keep: (name: string, sample: Sample) => void,
): Promise<void> {
  const service = await startService(build, 'PostgreSQL', {
    ALLOW_PRIVATE_NETWORK: 'true',
    MAX_MEMBERS: '1000000',
  })
  try {
    const [owner] = await registerUsers(service, 1)
    if (!owner) throw new Error('no user was registered')
    const api = async (method: string, path: string, status: number, body?: unknown) => {
      const parts = { method, path: `/api/v1/directory/ldap${path}`, token: owner.accessToken }
      return JSON.parse(await exchangeOnce(service.port, { ...parts, ...(body !== undefined && { body }) }, status))
    }
    await api('POST', '/config', 201, {
      ldapUrl: `ldap://127.0.0.1:${slapd.port}`,
      ldapBaseDn: BASE_DN,
      ldapBindDn: BIND_DN,
      ldapBindPassword: BIND_PASSWORD,
      preset: 'openldap',
    })
    const { rss } = await service.usage()
    for (const [name, isRight] of Object.entries(EXPECTED)) {
      const sync = async () => {
        let { run } = await api('POST', '/sync', 200, { incremental: name === INCREMENTAL })
        while (run.status === 'running') {
          await new Promise((resume) => setTimeout(resume, 250))
          run = await api('GET', `/runs/${run.id}`, 200)
        }
        if (!isRight(run)) throw new Error(`${name}: ${JSON.stringify(run)}`)
        return (Date.parse(run.finishedAt) - Date.parse(run.createdAt)) / 1_000
      }
      const read = () => measured(service, rss, service.database, sync)
      if (profiles) {
        const shares = await profile(service, `ldap ${name}`, profiles, async () => keep(name, await read()))
        console.log(`${name}:\n${shares.join('\n')}`)
      } else keep(name, await read())
      // Sealing and autovacuum work of this sync must not run during the next one.
      await service.drain()
      await service.sql('ANALYZE')
    }
  } finally {
    await service.stop()
  }
}

/** Runs the searches of a sync with the bare library. */
async function floor(settings: Settings, slapd: Slapd): Promise<Sample> {
  const built = <Module>(file: string) => fromBuild<Module>(settings.build, `features/ldap/${file}`)
  const { PRESETS } = await built<{ PRESETS: Record<string, { userFilter: string; groupFilter: string }> }>(
    'model/presets',
  )
  const { userAttributes, GROUP_ATTRIBUTES } = await built<{
    userAttributes(directory: { attributeMapping: object }): string[]
    GROUP_ATTRIBUTES: string[]
  }>('model/map-entry')
  const { openldap } = PRESETS
  const searches = [
    {
      base: BASE_DN,
      filter: openldap?.userFilter,
      attributes: userAttributes({ attributeMapping: {} }),
      pageSize: 500,
    },
    { base: BASE_DN, filter: openldap?.groupFilter, attributes: GROUP_ATTRIBUTES, pageSize: 50 },
  ]
  const reader = await startChild(READER, settings.build)
  try {
    const { rss } = await reader.usage()
    return await measured(reader, rss, undefined, async () => {
      const start = performance.now()
      const url = `ldap://127.0.0.1:${slapd.port}`
      const count = await reader.call<number>('read', { url, bindDn: BIND_DN, password: BIND_PASSWORD, searches })
      if (count !== USERS + GROUPS + 1) throw new Error(`the floor found ${count} entries`)
      return (performance.now() - start) / 1_000
    })
  } finally {
    await reader.stop()
  }
}

const row = (name: string, samples: Sample[]): string[] => {
  const of = (pick: (sample: Sample) => number | null): Spread => spread(samples.map((one) => pick(one) ?? Number.NaN))
  return [
    name,
    withRange(of(({ seconds }) => seconds)),
    withRange(of(({ cpu }) => cpu)),
    number(of(({ main }) => main).median),
    number(of(({ database }) => database).median),
    number(of(({ growth }) => growth / 2 ** 20).median),
  ]
}

export const ldap: Benchmark = {
  name: 'ldap',
  title: 'A sync with an LDAP directory',
  async run(settings) {
    if (!HAS_SLAPD) throw new Error('slapd and ldapmodify (OpenLDAP) must be installed')
    const slapd = await startDirectory()
    const discard = discardLater(() => slapd.close())
    const rounds = new Map<string, Sample[]>()
    const keep = (name: string, sample: Sample) => {
      rounds.set(name, [...(rounds.get(name) ?? []), sample])
    }
    try {
      // Each in its own process and database, so that every first sync begins without data.
      for (let round = 0; round < settings.rounds; round++) {
        await syncs(settings.build, settings, slapd, keep)
        const { against } = settings
        if (against) await syncs(against, settings, slapd, (name, sample) => keep(`${name}, other build`, sample))
        keep('floor: the same searches by the bare library', await floor(settings, slapd))
      }
    } finally {
      await discard()
    }
    const { median } = spread((rounds.get(NO_CHANGE) ?? []).map(({ seconds }) => seconds))
    return {
      workload: `slapd with ${number(USERS)} users, a group of all of them and ${GROUPS} of ${USERS / GROUPS}, at most 500 entries per page; the service on PostgreSQL, empty before each first sync.`,
      tables: [
        {
          columns: [
            'subject',
            'seconds (range)',
            'processor ms (range)',
            'of which main thread',
            'PostgreSQL ms',
            'memory growth, MiB',
          ],
          rows: [...rounds].map(([name, samples]) => row(name, samples)),
        },
      ],
      aims: [
        {
          what: `${NO_CHANGE} of ${number(USERS)}`,
          aim: `< ${AIM_SECONDS} s`,
          measured: `${number(median)} s`,
          reached: median < AIM_SECONDS,
        },
      ],
      rounds: Object.fromEntries(rounds),
    }
  },
}
