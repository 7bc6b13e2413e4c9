import { generateKeyPairSync, sign } from 'node:crypto'
import type * as Engine from '../../server/src/protocols/saml/index.js'
import type { Benchmark } from '../harness/benchmark.js'
import { fromBuild } from '../harness/built-library.js'
import { number, withRange } from '../harness/report.js'
import { interleave, ratio, type Subject, spread } from '../harness/rounds.js'

const FLOOR = 'two signatures alone'
const PLAIN = 'a signed response'
const ENCRYPTED = 'the same, encrypted'
const MAX_BESIDE_FLOOR = 3
const GROUPS = 20
const AT_A_TIME = 20
const DAY = 86_400_000

/** Measures the processor time of one call in µs, in all threads. */
const subjectOf = (name: string, seconds: number, act: () => unknown): Subject<number> => ({
  name,
  batch: async () => {
    const before = process.cpuUsage()
    const end = performance.now() + 1_000 * seconds
    let count = 0
    do {
      for (let one = 0; one < AT_A_TIME; one++) await act()
      count += AT_A_TIME
    } while (performance.now() < end)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / count
  },
})

export const samlResponses: Benchmark = {
  name: 'saml-responses',
  title: 'SAML responses',
  async run({ build, rounds, seconds }) {
    const engine = await fromBuild<typeof Engine>(build, 'protocols/saml/index')
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const now = Date.now()
    const certificate = engine.makeCertificate({
      privateKey,
      commonName: 'bench',
      from: new Date(now - DAY),
      until: new Date(now + DAY),
    })
    const options = {
      issuer: 'https://id.example.com/api/v1/sso/saml-idp/1/metadata',
      acsUrl: 'https://sp.example.com/acs',
      inResponseTo: engine.newId(),
      now,
      audience: 'https://sp.example.com/metadata',
      nameId: { value: 'ada@example.com', format: engine.NAME_ID_FORMATS.email },
      attributes: [
        ...['email', 'firstName', 'lastName', 'displayName'].map((name) => ({ name, values: [`Value of ${name}`] })),
        { name: 'groups', values: Array.from({ length: GROUPS }, (_, index) => `Group ${index}`) },
      ],
      authnInstant: now,
      sessionIndex: engine.newId(),
    }
    const signedInfo = Buffer.alloc(600, 'x')
    const subjects = [
      subjectOf(FLOOR, seconds, () => [sign('sha256', signedInfo, privateKey), sign('sha256', signedInfo, privateKey)]),
      subjectOf(PLAIN, seconds, () => engine.buildResponse(options, { privateKey, certificate })),
      subjectOf(ENCRYPTED, seconds, () =>
        engine.buildResponse({ ...options, encryptTo: certificate }, { privateKey, certificate }),
      ),
    ]
    for (const { batch } of subjects) await batch()
    const samples = await interleave(subjects, rounds)
    const of = (name: string) => samples.get(name) ?? []
    const beside = ratio(of(PLAIN), of(FLOOR))
    return {
      workload: `In process: responses with four attributes and ${GROUPS} groups, response and assertion each signed by RSA-SHA256 with a key of 2,048 bits, the main cost of a SAML sign-in; the floor only creates two signatures over 600 bytes. Processor time of all threads.`,
      tables: [
        {
          columns: ['subject', 'µs (range)', 'responses/s per core', 'compared to the floor (range)'],
          rows: subjects.map(({ name }) => [
            name,
            withRange(spread(of(name))),
            number(1_000_000 / spread(of(name)).median),
            withRange(ratio(of(name), of(FLOOR))),
          ]),
        },
      ],
      aims: [
        {
          what: 'a signed response compared to two signatures',
          aim: `at most ${MAX_BESIDE_FLOOR} times`,
          measured: withRange(beside),
          reached: beside.median <= MAX_BESIDE_FLOOR,
        },
      ],
      rounds: Object.fromEntries(samples),
    }
  },
}
