import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTlsAuthority } from '../../../../test/doubles/tls-authority.js'
import {
  atOnce,
  expectError,
  logIn,
  newEmail,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { type FaultProxy, startFaultProxy } from '../../../../test/harness/fault-proxy.js'
import { startService } from '../../../../test/harness/service.js'
import { LONG } from '../../../../test/harness/some-of.js'
import { membersByEmail, syncDirectory, writeDirectory } from '../../../../test/peers/ldap-directory.js'
import { group, HAS_SLAPD, person, personDn, personWithInvalidEmail, startSlapd } from '../../../../test/peers/slapd.js'

if (!HAS_SLAPD) process.stdout.write('skipped: a faulty connection to a real LDAP server (slapd is not installed)\n')

/** More than one page of entries. In short runs, one in fifty becomes a member. */
const ENTRIES = 700
const isMember = (index: number) => LONG || index % 50 === 0
const indexes = Array.from({ length: ENTRIES }, (_, index) => index)
const MEMBERS = indexes.filter(isMember).length
/** The first page has 500 entries, beginning with ann. */
const MEMBERS_OF_FIRST_PAGE = indexes.slice(0, 499).filter(isMember).length + 1
/** Byte offsets within the bind response, the first page and the second page. */
const [AT_ONCE, IN_FIRST_PAGE, IN_SECOND_PAGE] = [3, 50_000, 200_000]

describe.skipIf(!HAS_SLAPD)('a sync over a faulty connection', async () => {
  if (!HAS_SLAPD) return
  const service = await startService({ env: { LDAP_ANSWER_SECONDS: '2' } })
  const { api, sql } = service
  const authority = createTlsAuthority()
  const mail = newEmail('ann')
  const uids = indexes.map((index) => `p${index}`)
  const slapd = await startSlapd({
    ldif:
      person('ann', { mail }) +
      uids.map((uid, index) => (isMember(index) ? person(uid) : personWithInvalidEmail(uid))).join('') +
      group('all', uids.map(personDn)),
    tls: authority.issue('localhost'),
  })
  let owner: TestUser
  let proxy: FaultProxy
  afterAll(async () => {
    await proxy.close()
    await slapd.close()
    authority.close()
    await service.close()
  })
  beforeAll(async () => {
    owner = await registerUser(service)
    proxy = await startFaultProxy({ host: '127.0.0.1', port: slapd.port })
    await writeDirectory(service, owner, proxy, { signInEnabled: true })
    expect(await ended(await syncDirectory(service, owner))).toMatchObject({
      status: 'completed',
      created: MEMBERS + 1,
    })
  }, 120_000)

  afterEach(() => proxy.restore())

  /** Waits until the run has ended, because the response may have come earlier. */
  async function ended(run: { id: string; status: string }) {
    for (let now = run; ; ) {
      if (now.status !== 'running') return now
      await new Promise((resume) => setTimeout(resume, 250))
      const { status, body } = await api('GET', `/api/v1/directory/ldap/runs/${run.id}`, { token: owner.token })
      // The embedded database has one connection, and one transaction adds many members.
      if (status === 200) now = body
    }
  }

  const lastSyncAt = async () =>
    (await api('GET', '/api/v1/directory/ldap/config', { token: owner.token })).body.lastSyncAt

  /** Returns the members of the team and of its group, and the inactive ones. */
  const members = () =>
    sql(
      `SELECT (SELECT count(*)::int FROM memberships WHERE organization_id = $1) AS members,
        (SELECT count(*)::int FROM memberships WHERE organization_id = $1 AND status <> 'active') AS suspended,
        (SELECT count(*)::int FROM group_members WHERE organization_id = $1) AS grouped,
        (SELECT count(*)::int FROM directory_entries WHERE organization_id = $1 AND gone_since IS NULL) AS entries`,
      [owner.teamId],
    )

  it.each([
    ['hangs before the first response', AT_ONCE, 'hang', 'timeout'],
    ['hangs in the first page', IN_FIRST_PAGE, 'hang', 'timeout'],
    ['hangs in a later page', IN_SECOND_PAGE, 'hang', 'timeout'],
    ['is cut during the bind', AT_ONCE, 'cut', 'cut'],
    ['is cut in the first page', IN_FIRST_PAGE, 'cut', 'cut'],
    ['is cut in a later page', IN_SECOND_PAGE, 'cut', 'cut'],
    ['is reset in a later page', IN_SECOND_PAGE, 'reset', 'cut'],
  ] as const)('fails and suspends no user if the connection %s', async (_, bytes, how, code) => {
    const [before, synced] = [await members(), await lastSyncAt()]
    const failing = proxy.failAfter(bytes, how)
    const syncing = syncDirectory(service, owner)
    await failing
    // Other requests are not delayed.
    expect((await api('GET', '/api/v1/auth/me', { token: owner.token })).status).toBe(200)
    expect(await ended(await syncing)).toMatchObject({ status: 'failed', error: code, suspended: 0, created: 0 })
    expect(await members()).toEqual(before)
    expect(await lastSyncAt()).toBe(synced)
    await proxy.restore()
    const again = await ended(await syncDirectory(service, owner))
    expect(again).toMatchObject({ status: 'completed', unchanged: MEMBERS + 1, suspended: 0 })
  })

  it('ends in time however slowly and steadily the server responds', async () => {
    const before = await members()
    proxy.dripAfter(IN_FIRST_PAGE)
    const run = await ended(await syncDirectory(service, owner))
    expect(run).toMatchObject({ status: 'failed', error: 'timeout', suspended: 0 })
    expect(await members()).toEqual(before)
    await proxy.restore()
  })

  it.each([
    ['resets the connection after the StartTLS request', AT_ONCE, 'reset', 'tls_failed'],
    ['cuts the connection during the handshake', 100, 'cut', 'tls_failed'],
    ['does not respond to StartTLS', 0, 'hang', 'timeout'],
  ] as const)('fails without sending plaintext if the server %s', async (_, bytes, how, code) => {
    const before = await members()
    const address = { ldapUrl: `ldap://localhost:${proxy.port}`, startTls: true, caCertificate: authority.certificate }
    await writeDirectory(service, owner, proxy, address)
    const failing = proxy.failAfter(bytes, how)
    const syncing = syncDirectory(service, owner)
    await failing
    expect(await ended(await syncing)).toMatchObject({ status: 'failed', error: code, suspended: 0 })
    expect(await members()).toEqual(before)
    await proxy.restore()
    expect(await ended(await syncDirectory(service, owner))).toMatchObject({ status: 'completed', suspended: 0 })
    await writeDirectory(service, owner, proxy, { startTls: false, caCertificate: null })
  })

  it('keeps the changes before the fault and completes on the next sync', async () => {
    const other = await registerUser(service)
    await writeDirectory(service, other, proxy)
    const failing = proxy.failAfter(IN_SECOND_PAGE, 'reset')
    const syncing = syncDirectory(service, other)
    await failing
    const { token } = other
    const read = async ({ id, status }: { id: string; status: string }) => {
      for (let run = { status } as { status: string; created: number; error: string; membersAdded: number }; ; ) {
        if (run.status !== 'running') return (await api('GET', `/api/v1/directory/ldap/runs/${id}`, { token })).body
        await new Promise((resume) => setTimeout(resume, 250))
        const answer = await api('GET', `/api/v1/directory/ldap/runs/${id}`, { token })
        if (answer.status === 200) run = answer.body
      }
    }
    const failed = await read(await syncing)
    expect(failed).toMatchObject({ status: 'failed', error: 'cut', suspended: 0, membersAdded: 0 })
    expect(failed.created).toBe(MEMBERS_OF_FIRST_PAGE)
    const rest = await read(await syncDirectory(service, other))
    expect(rest).toMatchObject({ status: 'completed', created: MEMBERS + 1 - MEMBERS_OF_FIRST_PAGE })
    expect(rest.membersAdded).toBe(MEMBERS)
    expect(Object.keys(await membersByEmail(service, other))).toHaveLength(MEMBERS + 2)
  }, 120_000)

  it.each(['hang', 'cut', 'reset'] as const)(
    'rejects only sign-ins with the directory while its connection has this fault: %s',
    async (how) => {
      // Two directories have imported this user: the request names the team whose directory gets the password.
      const body = { email: mail, password: 'password of ann', teamId: owner.teamId }
      const signIn = () => api('POST', '/api/v1/auth/login', { body })
      const failing = proxy.failAfter(AT_ONCE, how)
      const rejected = signIn()
      await failing
      const others = await atOnce(4, () => logIn(service, owner))
      expect(others).toHaveLength(4)
      expectError(await rejected, 503, 'unavailable')
      await proxy.restore()
      expect((await signIn()).status).toBe(200)
    },
  )
})
