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
const QUESTIONS = 500
const CONNECTIONS = 16
const KINDS = ['documents', 'images', 'reports', 'mails', 'orders']
const ACTIONS = ['read', 'write', 'delete']
const ADDRESSES = ['10.1.2.3', '10.200.0.1', '203.0.113.9', '198.51.100.20']

/** What casbin and Keyward both can say: resources by beginning, one action or all, a block of addresses or none; one in ten denies. */
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

/** About every project of the set, and as many that no policy names. */
const questionsOf = (size: number): AccessRequest[] =>
  Array.from({ length: QUESTIONS }, (_, index) => {
    const about = (index * 7_919) % (2 * size)
    return {
      resource: `${KINDS[about % KINDS.length]}/project-${Math.floor(about / KINDS.length)}/item-${index}`,
      action: ACTIONS[index % ACTIONS.length] ?? '',
      context: { ipAddress: ADDRESSES[index % ADDRESSES.length], timestamp: '2026-03-02T10:00:00Z' },
    }
  })

type Decide = (question: AccessRequest) => string

/** The same rules as plainly as somebody would write them first: every policy, one after the other. */
function naive(policies: Policy[]): Decide {
  const number = (address: string) => address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
  const isIn = (address: string, block: string) => {
    const [base = '', bits] = block.split('/')
    const size = 2 ** (32 - Number(bits))
    return Math.floor(number(address) / size) === Math.floor(number(base) / size)
  }
  const matches = ({ resource, actions, conditions }: Policy, question: AccessRequest) =>
    question.resource.startsWith(resource.slice(0, -1)) &&
    (actions.includes('*') || actions.includes(question.action)) &&
    (conditions.ipRange === undefined || isIn(String(question.context.ipAddress), String(conditions.ipRange)))
  return (question) => {
    const matching = policies.filter((policy) => matches(policy, question))
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
  decide(set: PolicySet, question: AccessRequest): Steps<Decision>
  finish<T>(steps: Steps<T>): T
}

/** Microseconds of processor time a decision. */
const decisions = (name: string, decide: Decide, questions: AccessRequest[], seconds: number): Subject<number> => ({
  name,
  batch: async () => {
    const before = process.cpuUsage()
    const end = performance.now() + 1_000 * seconds
    let count = 0
    do {
      for (const question of questions.slice(0, 20)) decide(question)
      questions.push(...questions.splice(0, 20))
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
    const [policies, questions] = [policiesOf(size), questionsOf(size)]
    const set = finish(compilePolicies(policies))
    const all: [string, Decide][] = [
      ['Keyward', (question) => finish(decide(set, question)).decision],
      ['naive', naive(policies)],
      ['casbin 5.51.1', await casbin(policies)],
    ]
    // They must mean the same before they are compared; an ALLOW and a DENY must both occur.
    const answers = all.map(([, answer]) => questions.map(answer).join())
    if (new Set(answers).size !== 1 || !/ALLOW/.test(answers[0] ?? '') || !/DENY/.test(answers[0] ?? ''))
      throw new Error(`They do not decide alike over ${size} policies`)
    for (const [name, answer] of all)
      subjects.push(decisions(`${name}, ${size} policies`, answer, [...questions], seconds / 4))
  }
  for (const { batch } of subjects) await batch()
  return interleave(subjects, rounds)
}

/** A team with so many policies, and questions of its owner about themselves. */
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
  const exchanges = questionsOf(size).map(({ resource, action, context }) => ({
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
    settle: service.settle,
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
      if (!first) throw new Error('there is a service')
      const contenders: Contender[] = []
      for (const size of SIZES) contenders.push(await contenderOf(first.service, size))
      const rounds = await compareLoads(contenders, settings)
      const ours = spread(inside.get('Keyward, 1000 policies') ?? [])
      return {
        workload: `In process: ${QUESTIONS} questions in turn over sets of ${SIZES.join(', ')} policies: a resource that begins with one of five kinds and a project, one action or all, a block of addresses for two in five, one in ten denies; half of the questions are about projects that no policy names. casbin has the same policies (keyMatch, ipMatch, deny overrides, enforceSync); the naive one looks at every policy. All three were found to decide alike. Over HTTP: the same questions to POST /api/v1/policies/evaluate by the owner of a team with so many policies, ${CONNECTIONS} connections, each with its audit entry; the seals are counted.`,
        tables: [
          {
            columns: ['subject', 'µs a decision (range)', 'a second a core'],
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
