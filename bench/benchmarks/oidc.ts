import { randomBytes } from 'node:crypto'
import type { Benchmark, Settings } from '../harness/benchmark.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import type { Sample } from '../harness/measure.js'
import { loadTable, number, type Table, withRange } from '../harness/report.js'
import { ratio, spread } from '../harness/rounds.js'
import { type Named, startAll, withServices } from '../harness/services.js'
import { probe } from './oidc/probe.js'
import { makeTeam } from './oidc/relying-party.js'
import { CONNECTIONS, engineSide, floorSide, OPERATIONS, type Operation, type Side, serviceSide } from './oidc/sides.js'
import { openStock } from './oidc/stock.js'

const FLOOR = 'floor'
const ENGINE = 'bare engine'
const MAX_BESIDE_FLOOR = 1.5
const REFRESHES_A_CORE = 1_500
/** The encryption key of the services, so that the benchmark can seal a signing key for them. */
const ENCRYPTION_KEY = randomBytes(32).toString('base64')

const subject = (operation: string, side: string): string => `${operation}, ${side}`

/** Builds the table of the operations: the cost on each side, and the ratios to the other two. */
function summary(operations: string[], side: string, cpu: (name: string) => number[]): Table {
  return {
    columns: [
      `operation, ${side}`,
      'µs per request (range)',
      'requests/s per core',
      'floor µs',
      'compared to the floor (range)',
      'bare engine µs',
      'compared to the bare engine (range)',
    ],
    rows: operations.map((operation) => {
      const [own, floor, engine] = [side, FLOOR, ENGINE].map((name) => cpu(subject(operation, name))) as [
        number[],
        number[],
        number[],
      ]
      return [
        operation,
        withRange(spread(own)),
        number(1_000_000 / spread(own).median),
        number(spread(floor).median),
        withRange(ratio(own, floor)),
        number(spread(engine).median),
        withRange(ratio(own, engine)),
      ]
    }),
  }
}

/** Creates all contenders and adds the functions that close their resources to `closing`. */
async function contendersOf(
  services: Named[],
  { build }: Settings,
  operations: Operation[],
  closing: (() => Promise<void>)[],
): Promise<Contender[]> {
  const sides: { name: string; side: Side }[] = []
  const encryptionKey = Buffer.from(ENCRYPTION_KEY, 'base64')
  for (const [index, { name, service }] of services.entries()) {
    const team = await makeTeam(service, build, encryptionKey)
    const stocks = {
      RS256: await openStock(service, build, team, team.parties.RS256),
      ES256: await openStock(service, build, team, team.parties.ES256),
    }
    closing.push(stocks.RS256.close, stocks.ES256.close)
    sides.push({ name, side: await serviceSide(service, team, stocks) })
    if (index > 0) continue
    const floor = await floorSide(service, team, build)
    closing.push(floor.child.stop)
    const engine = await engineSide(team, build)
    closing.push(...engine.children.map(({ stop }) => stop))
    sides.push({ name: FLOOR, side: floor.side }, { name: ENGINE, side: engine.side })
  }
  const contenders: Contender[] = []
  for (const operation of operations)
    for (const { name, side } of sides) {
      const load = side(operation)
      await probe(load, operation)
      contenders.push({ name: subject(operation.name, name), load })
    }
  return contenders
}

export const oidc: Benchmark = {
  name: 'oidc',
  title: 'OpenID Connect provider',
  async run(settings) {
    const operations = OPERATIONS.filter(({ name }) => name.includes(settings.only ?? ''))
    const services = await startAll(settings, ['PostgreSQL'], { ENCRYPTION_KEY })
    return withServices(services, async () => {
      const closing: (() => Promise<void>)[] = []
      const compare = async () => compareLoads(await contendersOf(services, settings, operations, closing), settings)
      const rounds = await compare().finally(async () => {
        for (const close of closing) await close()
      })
      const cpu = (name: string) => (rounds.get(name) ?? []).map((sample: Sample) => sample.cpu)
      const names = operations.map(({ name }) => name)
      const own = (operation: string) => cpu(subject(operation, 'PostgreSQL'))
      const above = names
        .map((name) => ({ name, beside: ratio(own(name), cpu(subject(name, FLOOR))).median }))
        .filter(({ beside }) => beside > MAX_BESIDE_FLOOR)
      const refreshes = 1_000_000 / spread(own('refresh ES256')).median
      return {
        workload: `The endpoints under the issuer {team}/{application} of two applications of a team of 100 users, ${CONNECTIONS} connections; codes and refresh tokens of as many grants are prepared and each is used once, the scopes are openid profile email offline_access, the client authenticates with Basic. Sealing included. Read operations cycle through 1,000 access tokens signed with ES256; revoked ones were revoked at the endpoint, unknown ones have the format of a refresh token. The floor is a bare Fastify route with the same driver and database: for a code and a refresh BEGIN, a locked read, an insert, an audit-like insert, two signatures, COMMIT; for client_credentials a read, an insert, a signature; for introspection and userinfo a read and a verification, for an unknown token the read alone; otherwise constant JSON, or 304 without a body. The bare engine is oidc-provider with its in-memory adapter, without database and audit, with the same grants and token formats; its introspection and userinfo accept opaque tokens only, which it looks up; it does not support conditional requests and responds with the document.`,
        tables: [...services.map(({ name }) => summary(names, name, cpu)), loadTable(rounds)],
        aims: [
          ...(names.includes('refresh ES256')
            ? [
                {
                  what: 'refreshes/s per core, ES256',
                  aim: `at least ${number(REFRESHES_A_CORE)}`,
                  measured: number(refreshes),
                  reached: refreshes >= REFRESHES_A_CORE,
                },
              ]
            : []),
          {
            what: 'processor time compared to the floor, each operation',
            aim: `≤ ${MAX_BESIDE_FLOOR} ×`,
            measured: `above it: ${above.map(({ name, beside }) => `${name} ${number(beside)}`).join(', ') || 'none'}`,
            reached: above.length === 0,
          },
        ],
        rounds: Object.fromEntries(rounds),
      }
    })
  },
}
