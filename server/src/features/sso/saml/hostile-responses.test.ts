import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Hostile } from '../../../../test/doubles/saml-attacks/attack.js'
import { DOCUMENTS } from '../../../../test/doubles/saml-attacks/documents.js'
import { ENCRYPTED } from '../../../../test/doubles/saml-attacks/encryption.js'
import { SIGNATURES } from '../../../../test/doubles/saml-attacks/signatures.js'
import { STATEMENTS } from '../../../../test/doubles/saml-attacks/statements.js'
import { WRAPPED } from '../../../../test/doubles/saml-attacks/wrapping.js'
import { addColleague, atOnce, CONCURRENT, registerUser } from '../../../../test/factories/factories.js'
import {
  addSamlSite,
  answerTo,
  beginSaml,
  bring,
  lastRecorded,
  partsOf,
  samlProvider,
  signedXml,
} from '../../../../test/factories/saml-sso.js'
import { changeProvider, fetchMe, resultOf } from '../../../../test/factories/sso.js'
import { startService } from '../../../../test/harness/service.js'
import { attackerKey, idpKey, USER, VICTIM } from '../../../../test/peers/saml-peer.js'

const service = await startService()
afterAll(() => service.close())
const owner = await registerUser(service)
const site = await addSamlSite(service, owner, { autoProvision: true })
// Both are members, so a response accepted for the victim would sign in as the victim.
for (const email of [USER, VICTIM]) {
  const { id } = await addColleague(service, owner)
  await service.sql('UPDATE users SET email = $2 WHERE id = $1', [id, email])
}

const sessionsOfVictim = () =>
  service.sql("SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 AND s.method = 'sso'", [
    VICTIM,
  ])
const expectAlive = async () => expect((await fetch(`${service.urls[0]}/livez`)).status).toBe(200)

/** Deviating expectations of the corpus as provider settings. An empty form field never reaches the verifier. */
const settingsFor = ({ certificates, require }: NonNullable<Hostile[3]> = {}) => ({
  samlCertificate: certificates ? attackerKey.certificate : idpKey.certificate,
  samlRequiredSignature: require ?? 'any',
})
let settings = ''
/** Updates the provider if its settings differ. */
async function configure(changes?: Hostile[3]): Promise<void> {
  const wanted = settingsFor(changes)
  if (JSON.stringify(wanted) === settings) return
  await changeProvider(service, owner, site.id, wanted)
  settings = JSON.stringify(wanted)
}
const CORPUS = [...WRAPPED, ...SIGNATURES, ...DOCUMENTS, ...STATEMENTS, ...ENCRYPTED].filter(
  ([name, , , changes]) => name !== 'nothing' && !changes?.decryptionKeys,
)

describe('POST /api/v1/sso/saml/{orgId}/acs with a hostile response', () => {
  it.each(CORPUS)(
    'rejects a sign-in as the victim, and records the reason: %s (%s)',
    async (_, check, message, changes) => {
      await configure(changes)
      const { cookies, requestId } = await beginSaml(site)
      // An unsolicited response matches no pending sign-in.
      if (changes?.inResponseTo === null) answerTo(site, '_unknown')
      const result = resultOf(await bring(site, message(), { cookies, relayState: requestId }))
      expect(result).toEqual({ error: expect.any(String), requestId: expect.any(String) })
      const { outcome, checks } = await lastRecorded(site, owner)
      expect(outcome).toBe('refused')
      const failed = checks.filter(({ status }: { status: string }) => status === 'failed')
      expect(failed.map(({ id }: { id: string }) => id)).toContain(check)
      expect(await sessionsOfVictim()).toEqual([])
      await expectAlive()
    },
  )

  it('accepts the valid responses that the corpus alters', async () => {
    await configure()
    const { cookies } = await beginSaml(site)
    const { token } = resultOf(await bring(site, signedXml(partsOf({ email: USER })), { cookies }))
    expect((await fetchMe(service, token)).user.email).toBe(USER)
  })

  it('rejects a response without a known issuer, and records it in no team', async () => {
    const before = await service.sql('SELECT id FROM sso_sign_ins ORDER BY id')
    answerTo(site, '_unknown')
    const foreign = signedXml({ ...partsOf({ email: VICTIM }), responseIssuer: 'https://other.example' })
    for (const message of ['x', '<x/>', foreign, Buffer.from('%%%')])
      expect(resultOf(await bring(site, message)).error).toBe('sso_state_invalid')
    for (const teamId of ['x', site.id, owner.id])
      expect(resultOf(await bring({ service, teamId }, foreign)).error).toBe('sso_state_invalid')
    expect(await service.sql('SELECT id FROM sso_sign_ins ORDER BY id')).toEqual(before)
  })

  it('handles any bytes, many at once, without an internal error', async () => {
    const { requestId } = await beginSaml(site)
    const messages = fc.sample(
      fc.oneof(
        fc.uint8Array({ minLength: 1, maxLength: 2_000 }).map((bytes) => Buffer.from(bytes).toString('base64')),
        fc.string({ unit: 'binary', minLength: 1 }).map((text) => text.replaceAll('\0', '')),
        fc.string({ unit: 'binary' }).map((text) => Buffer.from(`<x>${text}</x>`).toString('base64')),
      ),
      CONCURRENT,
    )
    const answers = await atOnce(CONCURRENT, (index) =>
      bring(site, Buffer.from(messages[index] || '%'), { relayState: requestId }),
    )
    expect(answers.filter(({ status }) => ![302, 400].includes(status))).toEqual([])
    await expectAlive()
  })

  it('handles timestamps at the limits of their range without an internal error', async () => {
    await configure()
    for (const end of ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59-14:00', '0000-01-01T00:00:00Z']) {
      const { cookies } = await beginSaml(site)
      const xml = signedXml({ ...partsOf({ email: USER }), end, notOnOrAfter: end })
      const result = resultOf(await bring(site, xml, { cookies }))
      expect(result).toHaveProperty(end.startsWith('9') ? 'token' : 'error')
    }
  })

  it('counts the response against its source', async () => {
    await service.restart({ LIMIT_SOURCE_FAILURES: '5' })
    await service.sql('DELETE FROM throttle_counters')
    try {
      for (let count = 0; count < 5; count++) expect((await bring(site, 'x')).status).toBe(302)
      const more = await atOnce(20, () => bring(site, 'x'))
      expect(more.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    } finally {
      await service.restart({ LIMIT_SOURCE_FAILURES: '600' })
    }
  })
})

it("rejects a response of another team's provider that names this team's issuer", async () => {
  const outsider = await registerUser(service)
  const theirs = await addSamlSite(service, outsider, samlProvider({ samlCertificate: attackerKey.certificate }))
  const { cookies } = await beginSaml(theirs)
  const xml = signedXml(partsOf({ email: VICTIM }), { key: attackerKey })
  expect(resultOf(await bring(theirs, xml, { cookies })).error).toBe('sso_not_provisioned')
  expect(resultOf(await bring(site, xml, { cookies }))).toHaveProperty('error')
  expect(await sessionsOfVictim()).toEqual([])
})
