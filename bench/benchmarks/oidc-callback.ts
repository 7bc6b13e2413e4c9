import type { Benchmark } from '../harness/benchmark.js'
import { type Child, startChild } from '../harness/child.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import { type Exchange, requestBytes } from '../harness/http-load.js'
import { loadTable, withRange } from '../harness/report.js'
import { ratio } from '../harness/rounds.js'
import type { RunningService } from '../harness/service.js'
import { startAll, withServices } from '../harness/services.js'
import { type BenchUser, registerUsers, walk } from '../harness/users.js'

const USERS = 100
const CONNECTIONS = 8
/** More than one core can handle in a second, so that a batch does not run out of callbacks. */
const PREPARED_A_SECOND = 200
const CALLBACK = 'OpenID Connect callback'
const FLOOR = 'floor: a bare route with one read'
const MAX_BESIDE_FLOOR = 50

/** Creates a provider and the load of its callbacks, each for a sign-in that was started over HTTP. */
async function callbackOf(service: RunningService, provider: Child, owner: BenchUser): Promise<Contender> {
  const ours = `http://127.0.0.1:${service.port}`
  const created = await fetch(`${ours}/api/v1/sso/providers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Bench',
      type: 'GENERIC_OIDC',
      protocol: 'OIDC',
      oidcIssuer: `http://127.0.0.1:${provider.port}`,
      oidcClientId: 'bench',
      oidcClientSecret: 'bench-secret',
      autoProvision: true,
    }),
  })
  if (created.status !== 201) throw new Error(`the provider was not created: ${await created.text()}`)
  const { id } = (await created.json()) as { id: string }
  const emails = walk(Array.from({ length: USERS }, (_, n) => `user-${n}@bench.example`))

  async function startSignIn(): Promise<Exchange> {
    const { headers } = await fetch(`${ours}/api/v1/sso/oidc/${id}/login`, { redirect: 'manual' })
    const authorization = new URL(headers.get('location') ?? '').searchParams
    const code = Buffer.from(JSON.stringify({ nonce: authorization.get('nonce'), email: emails() })).toString(
      'base64url',
    )
    const query = new URLSearchParams({ code, state: authorization.get('state') ?? '' })
    return { request: requestBytes({ method: 'GET', path: `/api/v1/sso/oidc/${id}/callback?${query}` }), status: 302 }
  }

  let ready: Exchange[] = []
  const prepare = async (seconds: number) => {
    ready = []
    for (let left = Math.ceil(seconds * PREPARED_A_SECOND); left > 0; left -= CONNECTIONS)
      ready.push(...(await Promise.all(Array.from({ length: CONNECTIONS }, startSignIn))))
  }
  const { database, drain } = service
  const load = { child: service, database, connections: CONNECTIONS, next: () => ready.pop(), prepare, drain }
  return { name: CALLBACK, load }
}

export const oidcCallback: Benchmark = {
  name: 'oidc-callback',
  title: 'Sign-in with an OpenID Connect provider',
  async run(settings) {
    const services = await startAll({ ...settings, against: undefined }, ['PostgreSQL'], {
      BASE_URL: 'http://localhost:3000',
    })
    return withServices(services, async () => {
      const service = services[0]?.service
      if (!service?.database) throw new Error('this benchmark needs PostgreSQL')
      const [owner] = await registerUsers(service, 1)
      if (!owner) throw new Error('no user was registered')
      const provider = await startChild(new URL('../children/openid-provider.mjs', import.meta.url), settings.build)
      const floor = await startChild(new URL('../children/floor.mjs', import.meta.url), settings.build, {
        DATABASE_URL: service.database.url,
      })
      const read: Exchange = { request: requestBytes({ method: 'GET', path: `/users/${owner.id}` }), status: 200 }
      const contenders: Contender[] = [
        await callbackOf(service, provider, owner),
        {
          name: FLOOR,
          load: { child: floor, database: service.database, connections: CONNECTIONS, next: () => read },
        },
      ]
      const rounds = await compareLoads(contenders, settings).finally(async () => {
        await floor.stop()
        await provider.stop()
      })
      const [signIns] = await service.sql<{ rejected: number; done: number }>(
        `SELECT (SELECT count(*)::int FROM sessions WHERE method = 'sso') AS done,
           (SELECT count(*)::int FROM sso_sign_ins WHERE outcome = 'refused') AS rejected`,
      )
      if (!signIns?.done || signIns.rejected > 0) throw new Error('sign-ins were rejected, so the result is invalid')
      const micros = (name: string) => (rounds.get(name) ?? []).map(({ cpu }) => cpu)
      const toFloor = ratio(micros(CALLBACK), micros(FLOOR))
      return {
        workload: `${USERS} users of a team return from its provider, each to their own sign-in, ${CONNECTIONS} connections. For each the service redeems the state, exchanges the code over HTTP at a provider in a separate process, verifies the ID token (RS256, with a cached key), and creates a session. The recorder, audit entries and their seals are included, the work of the provider is not.`,
        tables: [loadTable(rounds)],
        aims: [
          {
            what: 'a callback compared to a bare route with one read',
            aim: `≤ ${MAX_BESIDE_FLOOR} ×`,
            measured: `${withRange(toFloor)} ×`,
            reached: toFloor.median <= MAX_BESIDE_FLOOR,
          },
        ],
        rounds: Object.fromEntries(rounds),
      }
    })
  },
}
