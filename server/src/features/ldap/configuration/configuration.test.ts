import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTlsAuthority } from '../../../../test/doubles/tls-authority.js'
import {
  addColleague,
  expectError,
  joinTeam,
  logIn,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService } from '../../../../test/harness/service.js'
import { writeDirectory } from '../../../../test/peers/ldap-directory.js'
import { BIND_PASSWORD } from '../../../../test/peers/slapd.js'
import { createEnvelope } from '../../../platform/crypto/envelope.js'

const service = await startService({ env: { LDAP_ANSWER_SECONDS: '2' } })
afterAll(() => service.close())
const { api, sql } = service

const CONFIG = '/api/v1/directory/ldap/config'
const SYNC = '/api/v1/directory/ldap/sync'
const SECRET = 'the very secret password of the reader'
const WHOLE = {
  ldapUrl: 'ldaps://ldap.example.com',
  ldapBaseDn: 'dc=example,dc=com',
  ldapBindDn: 'cn=reader,dc=example,dc=com',
  ldapBindPassword: SECRET,
}

let owner: TestUser
const get = async () => (await api('GET', CONFIG, { token: owner.token })).body
const save = (body: unknown, { token } = owner) => api('POST', CONFIG, { token, body })

beforeAll(async () => {
  owner = await registerUser(service)
})

describe('/directory/ldap/config', () => {
  it('returns null without a configuration and the specified defaults after the first one', async () => {
    const other = await registerUser(service)
    const before = await api('GET', CONFIG, { token: other.token })
    expect(before).toMatchObject({ status: 200, body: null })
    expect(before.headers.get('content-type')).toMatch(/^application\/json/)
    const { status, body } = await save(WHOLE, other)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      teamId: other.teamId,
      type: 'LDAP',
      enabled: true,
      ldapUrl: WHOLE.ldapUrl,
      ldapBaseDn: WHOLE.ldapBaseDn,
      ldapBindDn: WHOLE.ldapBindDn,
      ldapUserFilter: '(&(objectClass=user)(!(isCriticalSystemObject=TRUE)))',
      ldapGroupFilter: '(&(objectClass=group)(!(isCriticalSystemObject=TRUE)))',
      lastSyncAt: null,
    })
    expect((await api('GET', CONFIG, { token: other.token })).body).toEqual(body)
  })

  it('accepts and returns every field under both names and merges partial updates', async () => {
    const { status } = await save({
      url: 'ldap://ldap.example.com:1389',
      baseDn: 'dc=a',
      bindDn: 'cn=b',
      bindPassword: SECRET,
      userFilter: '(cn=u)',
      groupFilter: '(cn=g)',
    })
    expect(status).toBe(201)
    expect((await save({ enabled: false, ldapGroupFilter: '(cn=other)' })).status).toBe(200)
    const { id, teamId, createdAt, updatedAt, ...shown } = await get()
    expect(shown).toEqual({
      type: 'LDAP',
      enabled: false,
      ldapUrl: 'ldap://ldap.example.com:1389',
      url: 'ldap://ldap.example.com:1389',
      ldapBaseDn: 'dc=a',
      baseDn: 'dc=a',
      ldapBindDn: 'cn=b',
      bindDn: 'cn=b',
      ldapBindPassword: '********',
      bindPassword: '********',
      ldapUserFilter: '(cn=u)',
      userFilter: '(cn=u)',
      ldapGroupFilter: '(cn=other)',
      groupFilter: '(cn=other)',
      preset: 'active-directory',
      startTls: false,
      caCertificate: null,
      attributeMapping: {},
      pageSize: null,
      scheduleMinutes: 0,
      signInEnabled: false,
      lastSyncAt: null,
      nextSyncAt: null,
    })
    const differing = await save({ ldapUrl: 'ldap://a', url: 'ldap://b' })
    expectError(differing, 400, 'invalid_request')
  })

  it('omits the password from responses, stores it encrypted and ignores the mask', async () => {
    await save({ ...WHOLE, ldapBindPassword: SECRET })
    const [before] = await sql<{ bind_password: string }>(
      'SELECT bind_password FROM directories WHERE organization_id = $1',
      [owner.teamId],
    )
    expect(before?.bind_password).toMatch(/^v1\./)
    expect((await save({ ldapBindPassword: '********', enabled: true })).status).toBe(200)
    const [after] = await sql('SELECT bind_password FROM directories WHERE organization_id = $1', [owner.teamId])
    expect(after).toEqual(before)
    const everything = JSON.stringify([await get(), service.logLines, await sql('SELECT * FROM audit_entries'), after])
    expect(everything).not.toContain(SECRET)
  })

  it.each([
    ['URL', { ldapUrl: 'ldaps://other.example.com' }],
    ['bind DN', { ldapBindDn: 'cn=other,dc=example,dc=com' }],
    ['certificate', { caCertificate: 'PEM' }],
    ['encryption', { ldapUrl: 'ldap://ldap.example.com' }],
  ])('requires the password again if the %s changes', async (_, change) => {
    const authority = createTlsAuthority()
    const wanted = 'caCertificate' in change ? { caCertificate: authority.certificate } : change
    authority.close()
    await save(WHOLE)
    for (const path of [CONFIG, '/api/v1/directory/ldap/test']) {
      const rejected = await api('POST', path, { token: owner.token, body: wanted })
      expectError(rejected, 400, 'invalid_request')
      expect(rejected.body.errors).toEqual([expect.objectContaining({ path: '/ldapBindPassword' })])
    }
    expect((await save({ ...wanted, ldapBindPassword: 'anew' })).status).toBe(200)
    await save({ ...WHOLE, caCertificate: null })
  })

  it.each([
    ['a missing password', { ...WHOLE, ldapBindPassword: undefined }, '/ldapBindPassword'],
    ['a missing base DN', { ...WHOLE, ldapBaseDn: undefined }, '/ldapBaseDn'],
    ['a missing bind DN', { ...WHOLE, ldapBindDn: undefined }, '/ldapBindDn'],
    ['a missing URL', { ...WHOLE, ldapUrl: undefined }, '/ldapUrl'],
    ['a URL of another protocol', { ...WHOLE, ldapUrl: 'https://ldap.example.com' }, '/ldapUrl'],
    ['a path in the URL', { ...WHOLE, ldapUrl: 'ldap://ldap.example.com/dc=x??sub' }, '/ldapUrl'],
    ['port 0', { ...WHOLE, ldapUrl: 'ldap://ldap.example.com:0' }, '/ldapUrl'],
    ['an invalid host', { ...WHOLE, ldapUrl: 'ldap://%00' }, '/ldapUrl'],
    ['a password in the URL', { ...WHOLE, ldapUrl: 'ldap://a:b@ldap.example.com' }, '/ldapUrl'],
    ['a base that is not a DN', { ...WHOLE, ldapBaseDn: 'example.com' }, '/ldapBaseDn'],
    ['an invalid filter', { ...WHOLE, ldapUserFilter: '(&(objectClass=user)' }, '/ldapUserFilter'],
    ['StartTLS within TLS', { ...WHOLE, startTls: true }, '/startTls'],
    ['an invalid certificate', { ...WHOLE, caCertificate: 'PEM' }, '/caCertificate'],
    ['an unknown profile field', { ...WHOLE, attributeMapping: { mail: 'role' } }, '/attributeMapping'],
    ['an invalid attribute name', { ...WHOLE, attributeMapping: { 'a)(b': 'email' } }, '/attributeMapping'],
    ['an empty page', { ...WHOLE, pageSize: 0 }, '/pageSize'],
    ['a page of more than 1,000 entries', { ...WHOLE, pageSize: 1_001 }, '/pageSize'],
    ['a schedule below five minutes', { ...WHOLE, scheduleMinutes: 1 }, '/scheduleMinutes'],
  ])('rejects %s and stores nothing', async (_, body, path) => {
    const other = await registerUser(service)
    const rejected = await save(body, other)
    expectError(rejected, 400, 'invalid_request')
    expect(rejected.body.errors).toContainEqual(expect.objectContaining({ path }))
    expect((await api('GET', CONFIG, { token: other.token })).body).toBe(null)
  })

  it('replaces default filters when the preset changes, but not custom ones', async () => {
    const other = await registerUser(service)
    await save({ ...WHOLE, ldapGroupFilter: '(cn=mine)' }, other)
    const { body } = await save({ preset: 'openldap' }, other)
    expect(body).toMatchObject({ userFilter: '(objectClass=inetOrgPerson)', groupFilter: '(cn=mine)' })
    await save({ preset: 'active-directory', userFilter: '(objectClass=user)' }, other)
    expect((await save({ enabled: true }, other)).body.userFilter).toBe('(objectClass=user)')
    expect((await save({ preset: 'openldap' }, other)).body.userFilter).toBe('(objectClass=inetOrgPerson)')
  })

  it('deletes the configuration and returns null afterwards', async () => {
    const other = await registerUser(service)
    await save(WHOLE, other)
    expect((await api('DELETE', CONFIG, { token: other.token })).status).toBe(200)
    expect((await api('GET', CONFIG, { token: other.token })).body).toBe(null)
    expectError(await api('DELETE', CONFIG, { token: other.token }), 404, 'directory_not_found')
    expectError(await api('POST', SYNC, { token: other.token }), 404, 'directory_not_found')
    expectError(await api('POST', '/api/v1/directory/ldap/test', { token: other.token }), 404, 'directory_not_found')
  })

  it('rejects a sync while the directory is disabled', async () => {
    await save({ ...WHOLE, enabled: false })
    expectError(await api('POST', SYNC, { token: owner.token }), 409, 'directory_disabled')
  })

  it('restricts access to owners and administrators, each to their own team', async () => {
    const member = await addColleague(service, owner)
    for (const [method, path] of [
      ['GET', CONFIG],
      ['POST', CONFIG],
      ['DELETE', CONFIG],
      ['POST', SYNC],
      ['POST', '/api/v1/directory/ldap/test'],
      ['GET', '/api/v1/directory/ldap/runs'],
    ] as const)
      expectError(await api(method, path, { token: member.token }), 403, 'forbidden')
    const outsider = await registerUser(service)
    expect((await api('GET', CONFIG, { token: outsider.token })).body).toBe(null)
  })

  it('fails a sync whose last editor has lost the permissions', async () => {
    const team = await registerUser(service)
    const admin = await registerUser(service)
    await joinTeam(service, admin, team.teamId, { role: 'ORG_ADMIN' })
    const { token } = await logIn(service, admin)
    const asAdmin = { headers: { 'x-org-id': team.teamId }, token }
    const body = { ...WHOLE, ldapUrl: 'ldap://127.0.0.1:9' }
    expect((await api('POST', CONFIG, { ...asAdmin, body })).status).toBe(201)
    await sql(`UPDATE memberships SET role = 'MEMBER' WHERE user_id = $1 AND organization_id = $2`, [
      admin.id,
      team.teamId,
    ])
    const { body: synced } = await api('POST', SYNC, { token: team.token })
    expect(synced).toMatchObject({ status: 'failed', run: { error: 'directory_orphaned' } })
    await writeDirectory(service, team, { port: 9 })
    const { body: again } = await api('POST', SYNC, { token: team.token })
    expect(again).toMatchObject({ status: 'failed', run: { error: 'unreachable' } })
    expect((await api('GET', CONFIG, { token: team.token })).body.lastSyncAt).toBe(null)
  })

  it('keeps the password readable after a new ENCRYPTION_KEY', async () => {
    const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    const other = await startService({ env: { ENCRYPTION_KEY: first } })
    try {
      const team = await registerUser(other)
      await writeDirectory(other, team, { port: 9 })
      await other.restart({ ENCRYPTION_KEY: `${second},${first}` })
      await other.restart({ ENCRYPTION_KEY: second })
      const [row] = await other.sql<{ id: string; sealed: string }>(
        'SELECT id, bind_password AS sealed FROM directories',
      )
      const now = createEnvelope([Buffer.from(second, 'base64')])
      expect(now.open(row?.sealed ?? '', `directory:${row?.id}`).toString()).toBe(BIND_PASSWORD)
    } finally {
      await other.close()
    }
  })
})

describe('POST /directory/ldap/test', () => {
  /** Starts a server that handles what it receives, or ignores it. */
  async function startServer(receive: (socket: Socket) => void = () => {}) {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => {}).on('data', () => receive(socket)))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const close = () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
    return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close }
  }

  it('names the step and the cause if the server stalls or resets the connection', async () => {
    const [stalling, resetting] = [await startServer(), await startServer((socket) => socket.resetAndDestroy())]
    const other = await registerUser(service)
    const failureAt = async (ldapUrl: string, startTls = false) => {
      const body = { ...WHOLE, ldapUrl, startTls }
      const tested = await api('POST', '/api/v1/directory/ldap/test', { token: other.token, body })
      return tested.body.checks.find(({ status }: { status: string }) => status === 'failed')
    }
    const fix = expect.stringContaining('whether the port expects TLS')
    const expected = [
      [`ldaps://${stalling.host}`, false, { id: 'tls', detail: expect.stringContaining('did not establish TLS'), fix }],
      [`ldap://${stalling.host}`, true, { id: 'tls', detail: expect.stringContaining('did not establish TLS'), fix }],
      [`ldap://${stalling.host}`, false, { id: 'bind', detail: 'No response within 2 seconds' }],
      [
        `ldaps://${resetting.host}`,
        false,
        { id: 'tls', detail: expect.stringContaining('during the TLS handshake'), fix },
      ],
      [`ldap://${resetting.host}`, false, { id: 'bind', detail: 'The connection was closed unexpectedly' }],
    ] as const
    const found = await Promise.all(expected.map(([url, startTls]) => failureAt(url, startTls)))
    expect(found).toMatchObject(expected.map(([, , check]) => check))
    for (const server of [stalling, resetting]) server.close()
  })
})
