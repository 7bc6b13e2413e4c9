import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import type {
  buildResponse,
  makeCertificate,
  newId,
  SigningKey,
  verifyResponse,
} from '../../server/src/protocols/saml/index.js'
import type { Benchmark, Settings } from '../harness/benchmark.js'
import { fromBuild } from '../harness/built-library.js'
import { startChild } from '../harness/child.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import { type Exchange, requestBytes } from '../harness/http-load.js'
import { loadTable, number, withRange } from '../harness/report.js'
import { interleave, ratio, type Subject, spread } from '../harness/rounds.js'
import type { RunningService } from '../harness/service.js'
import { startAll, withServices } from '../harness/services.js'
import { type BenchUser, registerUsers, walk } from '../harness/users.js'

const USERS = 100
const CONNECTIONS = 8
/** More than one core can handle in a second, so that a batch does not run out of responses. */
const PREPARED_A_SECOND = 400
const IDP = 'https://idp.example/metadata'
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const DAY = 86_400_000

interface Engine {
  buildResponse: typeof buildResponse
  verifyResponse: typeof verifyResponse
  makeCertificate: typeof makeCertificate
  newId: typeof newId
}

function newKey({ makeCertificate }: Engine): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const until = new Date(Date.now() + DAY)
  return { privateKey, certificate: makeCertificate({ privateKey, commonName: 'bench', from: new Date(), until }) }
}

interface Answered {
  sp: string
  acs: string
  inResponseTo: string
  email: string
  encryptTo?: string | undefined
}

/** Creates a response that is signed twice, as our own identity provider does. */
async function responseTo(engine: Engine, key: SigningKey, { sp, acs, email, ...rest }: Answered): Promise<string> {
  const { xml } = await engine.buildResponse(
    {
      ...rest,
      issuer: IDP,
      acsUrl: acs,
      now: Date.now(),
      audience: sp,
      nameId: { value: email, format: EMAIL },
      attributes: [
        { name: 'firstName', values: ['Ada'] },
        { name: 'groups', values: Array.from({ length: 20 }, (_, n) => `Group ${n}`) },
      ],
      authnInstant: Date.now(),
      sessionIndex: engine.newId(),
    },
    key,
  )
  return xml
}

/** Measures the processor time of a call, garbage collection included: other load on the machine affects it least. */
const calls = (name: string, call: () => void, seconds: number): Subject<number> => ({
  name,
  batch: async () => {
    const [start, used] = [performance.now(), process.cpuUsage()]
    let count = 0
    while (performance.now() - start < seconds * 1_000) {
      call()
      count += 1
    }
    const { user, system } = process.cpuUsage(used)
    return (user + system) / count
  },
})

const FLOOR = 'floor: two RSA-2048 verifications'
const PLAIN = 'a response with two signatures'

async function inProcess({ build, rounds, seconds }: Settings, engine: Engine): Promise<Map<string, number[]>> {
  const [key, ours] = [newKey(engine), newKey(engine)]
  const request = { sp: 'https://sp.example', acs: 'https://sp.example/acs', inResponseTo: '_r', email: 'a@b.example' }
  const verifying = (xml: string) => () => {
    const verdict = engine.verifyResponse(
      { field: Buffer.from(xml).toString('base64') },
      {
        now: Date.now(),
        idpEntityId: IDP,
        certificates: [key.certificate],
        spEntityId: request.sp,
        acsUrl: request.acs,
        inResponseTo: ['_r'],
        require: 'both',
        decryptionKeys: [ours.privateKey],
      },
    )
    if (!verdict.accepted) throw new Error(`the build ${build} rejects its own response`)
  }
  const bytes = Buffer.alloc(1_000)
  const publicKey: KeyObject = createPublicKey(key.privateKey)
  const signature = sign('sha256', bytes, key.privateKey)
  const floor = () => {
    for (let count = 0; count < 2; count++)
      if (!verify('sha256', bytes, publicKey, signature)) throw new Error('the signature is invalid')
  }
  const subjects = [
    calls(PLAIN, verifying(await responseTo(engine, key, request)), seconds),
    calls(
      'a response with an encrypted assertion',
      verifying(await responseTo(engine, key, { ...request, encryptTo: ours.certificate })),
      seconds,
    ),
    calls(FLOOR, floor, seconds),
  ]
  for (const { batch } of subjects) await batch()
  return interleave(subjects, rounds)
}

/** Creates a provider and the load of the responses that its users return with. */
async function acsOf(service: RunningService, engine: Engine, owner: BenchUser): Promise<Contender> {
  const key = newKey(engine)
  const [found] = await service.sql<{ team: string; url: string }>(
    'SELECT organization_id AS team FROM memberships WHERE user_id = $1',
    [owner.id],
  )
  const base = `http://localhost:3000/api/v1/sso/saml/${found?.team}`
  const [provider] = await service.sql<{ id: string }>(
    `INSERT INTO sso_providers (id, organization_id, name, type, protocol, enabled, auto_provision, allowed_domains, attribute_mapping,
       trusts_email, trusts_mfa, saml_entity_id, saml_sso_url, saml_certificates, version, saved_by, saved_permissions, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Bench', 'GENERIC_SAML', 'SAML2', true, true, '{}', '{}', false, false, $2, 'https://idp.example/sso',
       ARRAY[$3], 1, $4, $5::text[], now(), now() RETURNING id`,
    [found?.team, IDP, key.certificate, owner.id, PERMISSIONS],
  )
  const emails = walk(Array.from({ length: USERS }, (_, n) => `user-${n}@bench.example`))
  let ready: Exchange[] = []
  const prepare = async (seconds: number) => {
    const ids = Array.from({ length: Math.ceil(seconds * PREPARED_A_SECOND) }, () => engine.newId())
    await service.sql(
      `INSERT INTO sso_attempts (hash, provider_id, provider_version, kind, browser_hash, payload, created_at, expires_at)
       SELECT sha256(id::bytea), $1, 1, 'saml', '\\x00', '{}', now(), now() + interval '10 minutes' FROM unnest($2::text[]) AS id`,
      [provider?.id, ids],
    )
    ready = []
    for (const inResponseTo of ids) {
      const request = { sp: `${base}/metadata`, acs: `${base}/acs`, inResponseTo, email: emails() }
      const xml = await responseTo(engine, key, request)
      const form = { SAMLResponse: Buffer.from(xml).toString('base64') }
      const path = `/api/v1/sso/saml/${found?.team}/acs`
      ready.push({ request: requestBytes({ method: 'POST', path, form }), status: 302 })
    }
  }
  const { database, drain } = service
  const load = { child: service, database, connections: CONNECTIONS, next: () => ready.pop(), prepare, drain }
  return { name: 'assertion consumer service', load }
}

/** The permissions of an owner that a provider needs. */
const PERMISSIONS = ['sso:write', 'users:write', 'members:read', 'org:read']

const HTTP_FLOOR = 'floor: a bare route with one read'

export const saml: Benchmark = {
  name: 'saml',
  title: 'Sign-in with a SAML provider',
  async run(settings) {
    const engine = await fromBuild<Engine>(settings.build, 'protocols/saml/index')
    const inside = await inProcess(settings, engine)
    const services = await startAll({ ...settings, against: undefined }, ['PostgreSQL'], {
      BASE_URL: 'http://localhost:3000',
    })
    return withServices(services, async () => {
      const service = services[0]?.service
      if (!service?.database) throw new Error('this benchmark needs PostgreSQL')
      const [owner] = await registerUsers(service, 1)
      if (!owner) throw new Error('no user was registered')
      const floor = await startChild(new URL('../children/floor.mjs', import.meta.url), settings.build, {
        DATABASE_URL: service.database.url,
      })
      const read: Exchange = { request: requestBytes({ method: 'GET', path: `/users/${owner.id}` }), status: 200 }
      const contenders: Contender[] = [
        await acsOf(service, engine, owner),
        {
          name: HTTP_FLOOR,
          load: { child: floor, database: service.database, connections: CONNECTIONS, next: () => read },
        },
      ]
      const rounds = await compareLoads(contenders, settings).finally(() => floor.stop())
      const [signIns] = await service.sql<{ rejected: number; done: number }>(
        `SELECT (SELECT count(*)::int FROM sessions WHERE method = 'sso') AS done,
           (SELECT count(*)::int FROM sso_sign_ins WHERE outcome = 'refused') AS rejected`,
      )
      if (!signIns?.done || signIns.rejected > 0) throw new Error('responses were rejected, so the result is invalid')
      const toFloor = ratio(inside.get(PLAIN) ?? [], inside.get(FLOOR) ?? [])
      return {
        workload: `In process: a response of 6 kB with 21 attribute values, verified with all checks of a sign-in. Over HTTP: ${USERS} users of a team return from its provider, each with the response to a new request, ${CONNECTIONS} connections; sessions, the recorder, audit entries and their seals are included.`,
        tables: [
          {
            columns: ['subject', 'processor time µs (range)', 'calls/s per core'],
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
            what: 'a response with two signatures, compared to the two signatures alone',
            aim: '≤ 50 ×',
            measured: `${withRange(toFloor)} ×`,
            reached: toFloor.median <= 50,
          },
        ],
        rounds: { ...Object.fromEntries(inside), ...Object.fromEntries(rounds) },
      }
    })
  },
}
