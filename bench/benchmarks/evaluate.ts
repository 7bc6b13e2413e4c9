import { newEnforcer, newModelFromString, StringAdapter } from 'casbin'
import type { AccessRequest, Decision, Policy, PolicySet, Steps } from '../../server/src/protocols/policy/index.js'
import type { Benchmark, Settings } from '../harness/benchmark.js'
import { fromBuild } from '../harness/built-library.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import { requestBytes } from '../harness/http-load.js'
import { loadTable, number, withRange } from '../harness/report.js'
import { interleave, type Subject, spread } from '../harness/rounds.js'
import type { RunningService } from '../harness/service.js'
import { startAll, withServices } from '../harness/services.js'
import { registerUsers, renewSessions, walk } from '../harness/users.js'

const SIZES = [10, 100, 1_000]
const REQUESTS = 500
const CONNECTIONS = 16
const KINDS = ['documents', 'images', 'reports', 'mails', 'orders']
const ACTIONS = ['read', 'write', 'delete']
const ADDRESSES = ['10.1.2.3', '10.200.0.1', '203.0.113.9', '198.51.100.20']

/** Policies that both casbin and Keyward can express: resource prefix, one action or all, at most one IP range; one in ten denies. */
function policiesOf(size: number): Policy[] {
  return Array.from({ length: size }, (_, index) => ({
    id: `p${index}`,
    name: `Policy ${index}`,
    effect: index % 10 === 9 ? 'DENY' : 'ALLOW',
    priority: index % 7,
    createdAt: index,
    resource: `${KINDS[index % KINDS.length]}/project-${Math.floor(index / KINDS.length)}/*`,
    actions: [index % 4 === 3 ? '*' : (ACTIONS[index % ACTIONS.length] ?? '')],
    conditions: index % 3 === 0 ? { ipRange: '10.0.0.0/8' } : index % 10 === 9 ? { ipRange: '203.0.113.0/24' } : {},
    enabled: true,
  }))
}

/** Returns 500 requests, about half of them for projects of the set and half for projects that no policy names. */
const requestsOf = (size: number): AccessRequest[] =>
  Array.from({ length: REQUESTS }, (_, index) => {
    const about = (index * 7_919) % (2 * size)
    return {
      resource: `${KINDS[about % KINDS.length]}/project-${Math.floor(about / KINDS.length)}/item-${index}`,
      action: ACTIONS[index % ACTIONS.length] ?? '',
      context: { ipAddress: ADDRESSES[index % ADDRESSES.length], timestamp: '2026-03-02T10:00:00Z' },
    }
  })

type Decide = (request: AccessRequest) => string

/** The simplest implementation of the same rules: a loop over every policy. */
function naive(policies: Policy[]): Decide {
  const number = (address: string) => address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
  const isIn = (address: string, block: string) => {
    const [base = '', bits] = block.split('/')
    const size = 2 ** (32 - Number(bits))
    return Math.floor(number(address) / size) === Math.floor(number(base) / size)
  }
  const matches = ({ resource, actions, conditions }: Policy, request: AccessRequest) =>
    request.resource.startsWith(resource.slice(0, -1)) &&
    (actions.includes('*') || actions.includes(request.action)) &&
    (conditions.ipRange === undefined || isIn(String(request.context.ipAddress), String(conditions.ipRange)))
  return (request) => {
    const matching = policies.filter((policy) => matches(policy, request))
    return matching.some(({ effect }) => effect === 'DENY') || matching.length === 0 ? 'DENY' : 'ALLOW'
  }
}

const MODEL = `
[request_definition]
r = obj, act, ip
[policy_definition]
p = obj, act, ip, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = keyMatch(r.obj, p.obj) && (p.act == "*" || r.act == p.act) && (p.ip == "0.0.0.0/0" || ipMatch(r.ip, p.ip))
`

async function casbin(policies: Policy[]): Promise<Decide> {
  const lines = policies.map(({ resource, actions, conditions, effect }) =>
    ['p', resource, actions[0], conditions.ipRange ?? '0.0.0.0/0', effect.toLowerCase()].join(', '),
  )
  const enforcer = await newEnforcer(newModelFromString(MODEL), new StringAdapter(lines.join('\n')))
  return ({ resource, action, context }) =>
    enforcer.enforceSync(resource, action, context.ipAddress) ? 'ALLOW' : 'DENY'
}

interface Engine {
  compilePolicies(policies: Policy[]): Steps<PolicySet>
  decide(set: PolicySet, request: AccessRequest): Steps<Decision>
  finish<T>(steps: Steps<T>): T
}

/** Measures the processor time per decision in µs. */
const decisions = (name: string, decide: Decide, requests: AccessRequest[], seconds: number): Subject<number> => ({
  name,
  batch: async () => {
    const before = process.cpuUsage()
    const end = performance.now() + 1_000 * seconds
    let count = 0
    do {
      for (const request of requests.slice(0, 20)) decide(request)
      requests.push(...requests.splice(0, 20))
      count += 20
    } while (performance.now() < end)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / count
  },
})

async function inProcess({ build, rounds, seconds }: Settings) {
  const { compilePolicies, decide, finish } = await fromBuild<Engine>(build, 'protocols/policy/index')
  const subjects: Subject<number>[] = []
  for (const size of SIZES) {
    const [policies, requests] = [policiesOf(size), requestsOf(size)]
    const set = finish(compilePolicies(policies))
    const all: [string, Decide][] = [
      ['Keyward', (request) => finish(decide(set, request)).decision],
      ['naive', naive(policies)],
      ['casbin 5.51.1', await casbin(policies)],
    ]
    // All engines must return the same decisions, and both ALLOW and DENY must occur.
    const decisionLists = all.map(([, decideBy]) => requests.map(decideBy).join())
    if (
      new Set(decisionLists).size !== 1 ||
      !/ALLOW/.test(decisionLists[0] ?? '') ||
      !/DENY/.test(decisionLists[0] ?? '')
    )
      throw new Error(`The engines disagree on ${size} policies`)
    for (const [name, decideBy] of all)
      subjects.push(decisions(`${name}, ${size} policies`, decideBy, [...requests], seconds / 4))
  }
  for (const { batch } of subjects) await batch()
  return interleave(subjects, rounds)
}

/** Creates a team with `size` policies and the load of its owner's evaluation requests. */
async function contenderOf(service: RunningService, size: number): Promise<Contender> {
  const [user] = await registerUsers(service, 1)
  if (!user) throw new Error('no user was registered')
  const rows = policiesOf(size).map(({ id: _, createdAt: __, ...policy }) => policy)
  await service.sql(
    `WITH team AS (UPDATE organizations SET policy_version = policy_version + 1
       WHERE id = (SELECT organization_id FROM memberships WHERE user_id = $1) RETURNING id)
     INSERT INTO policies (id, organization_id, name, type, effect, resource, actions, rules, conditions, priority, enabled, created_at, updated_at)
     SELECT gen_random_uuid(), team.id, p.name, 'ACCESS', p.effect, p.resource, p.actions, '[]', p.conditions, p.priority, true, now(), now()
     FROM team, jsonb_to_recordset($2::jsonb) AS p(name text, effect text, resource text, actions text[], conditions jsonb, priority int)`,
    [user.id, JSON.stringify(rows)],
  )
  await renewSessions(service, [user])
  const exchanges = requestsOf(size).map(({ resource, action, context }) => ({
    request: requestBytes({
      method: 'POST',
      path: '/api/v1/policies/evaluate',
      token: user.accessToken,
      body: { resource, action, context },
    }),
    status: 200,
  }))
  const load = {
    child: service,
    database: service.database,
    connections: CONNECTIONS,
    next: walk(exchanges),
    drain: service.drain,
  }
  return { name: `evaluate, ${size} policies`, load }
}

export const evaluate: Benchmark = {
  name: 'evaluate',
  title: 'Policy evaluation',
  async run(settings) {
    const inside = await inProcess(settings)
    const services = await startAll({ ...settings, against: undefined }, ['PostgreSQL'])
    return withServices(services, async () => {
      const [first] = services
      if (!first) throw new Error('no service was started')
      const contenders: Contender[] = []
      for (const size of SIZES) contenders.push(await contenderOf(first.service, size))
      const rounds = await compareLoads(contenders, settings)
      const ours = spread(inside.get('Keyward, 1000 policies') ?? [])
      return {
        workload: `In process: ${REQUESTS} requests over sets of ${SIZES.join(', ')} policies: a resource prefix of one of five kinds and a project, one action or all, an IP range for two in five, one in ten denies; half of the requests are about projects that no policy names. casbin has the same policies (keyMatch, ipMatch, deny overrides, enforceSync); the naive implementation loops over every policy. All three return the same decisions. Over HTTP: the same requests to POST /api/v1/policies/evaluate by the owner of a team with as many policies, ${CONNECTIONS} connections, each with its audit entry; including the sealing of the audit entries.`,
        tables: [
          {
            columns: ['subject', 'µs per decision (range)', 'decisions/s per core'],
            rows: [...inside].map(([name, micros]) => [
              name,
              withRange(spread(micros)),
              number(1_000_000 / spread(micros).median),
            ]),
          },
          loadTable(rounds),
        ],
        aims: [
          {
            what: 'a decision over 1,000 policies',
            aim: 'a few microseconds',
            measured: `${withRange(ours)} µs`,
            reached: ours.median <= 5,
          },
        ],
        rounds: { ...Object.fromEntries(inside), ...Object.fromEntries(rounds) },
      }
    })
  },
}
