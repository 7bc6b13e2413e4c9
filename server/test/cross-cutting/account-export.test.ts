import { afterAll, describe, expect, it } from 'vitest'
import {
  addUser,
  claimsOf,
  invite,
  joinTeam,
  logIn,
  newName,
  registerUser,
  type TestUser,
  verifyDomain,
  verifyEmailAddress,
} from '../factories/factories.js'
import { fillTeam } from '../factories/tenant-rows.js'
import { startService } from '../harness/service.js'

const service = await startService()
afterAll(() => service.close())

/** The part of the export that has the data of a table about a user. */
const EXPORTED: Record<string, string> = {
  api_tokens: 'apiTokens',
  application_users: 'applicationAssignments',
  audit_entries: 'activity',
  blocked_teams: 'blockedTeams',
  consents: 'grants',
  directory_entries: 'directoryEntries',
  external_identities: 'externalIdentities',
  factors: 'factors',
  group_members: 'groups',
  invitations: 'invitations',
  known_devices: 'devices',
  mails: 'mails',
  memberships: 'memberships',
  one_time_tokens: 'mailedLinks',
  removed_members: 'removals',
  saml_further_names: 'samlNameIds',
  saml_name_ids: 'samlNameIds',
  saml_sessions: 'samlNameIds',
  scim_tokens: 'scimTokens',
  scim_users: 'scimProfiles',
  sessions: 'sessions',
  sign_in_places: 'signInNetworks',
  sso_sign_ins: 'providerSignIns',
  team_passwords: 'teamPasswords',
  team_sign_ins: 'signInNetworks',
  users: 'account',
}

const WHO_ACTED = 'only names who acted; the act itself is in the audit log'
const SECRETS = 'secrets of a session'
const REPORT = 'a report for administrators, which quotes rows that failed, deleted after 90 days'
/** Why the data of a table is not exported. */
const WITHOUT_PART: Record<string, string> = {
  adaptive_users: 'a setting, without personal data',
  applications: WHO_ACTED,
  audit_erasures: 'users without an account',
  audit_keys: 'secrets',
  device_codes: 'deleted an hour after they expire, within minutes',
  directories: WHO_ACTED,
  directory_runs: REPORT,
  import_runs: REPORT,
  instance_settings: WHO_ACTED,
  joint_setters: WHO_ACTED,
  organizations: WHO_ACTED,
  password_history: 'secrets',
  passwords: 'secrets; the account has the time of the change',
  sign_in_editors: WHO_ACTED,
  oauth_tokens: 'secrets of a grant',
  pending_logouts: SECRETS,
  refresh_tokens: SECRETS,
  sso_providers: WHO_ACTED,
  sso_sessions: 'the identifiers are in externalIdentities',
  temporary_setters: WHO_ACTED,
}

const read = async ({ token }: Pick<TestUser, 'token'>) => {
  const answer = await service.api('GET', '/api/v1/auth/me/export', { token })
  expect(answer.status, answer.text).toBe(200)
  return answer
}

describe('the export of an account', () => {
  it('has a part for each table with data of users, or a reason', async () => {
    const tables = await service.sql<{ name: string }>(
      `SELECT DISTINCT c.table_name AS name FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
       LEFT JOIN pg_constraint k ON k.conrelid = format('public.%I', c.table_name)::regclass AND k.contype = 'f'
         AND k.confrelid IN ('users'::regclass, 'memberships'::regclass, 'sessions'::regclass, 'saml_sessions'::regclass)
       WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
         AND (k.oid IS NOT NULL OR c.column_name ~ 'user_id$|_by$|_by_user|email|recipient|ip_address|user_agent|name_id|^subject$')`,
    )
    const listed = [...Object.keys(EXPORTED), ...Object.keys(WITHOUT_PART)]
    expect(listed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
  })

  it('contains what confirmed teams store about the user, and nothing that other teams planted', async () => {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    const company = await registerUser(service)
    await joinTeam(service, user, company.teamId)
    const hostile = await registerUser(service)
    await addUser(service, hostile, { email: user.email })
    for (const { teamId, name } of [
      { ...company, name: 'Company' },
      { ...hostile, name: 'Hostile' },
    ]) {
      await fillTeam(service.sql, { teamId, userId: user.id })
      await service.sql('UPDATE organizations SET name = $2 WHERE id = $1', [teamId, name])
      for (const table of ['sso_sign_ins', 'directory_entries'])
        await service.sql(`UPDATE ${table} SET user_id = $2 WHERE organization_id = $1`, [teamId, user.id])
      await service.sql(
        `UPDATE scim_users s SET membership_id = m.id FROM memberships m
         WHERE s.organization_id = $1 AND m.organization_id = $1 AND m.user_id = $2`,
        [teamId, user.id],
      )
      await service.sql(
        'INSERT INTO saml_name_ids SELECT id, $2, name FROM applications WHERE organization_id = $1 LIMIT 1',
        [teamId, user.id],
      )
      await service.sql(
        `INSERT INTO external_identities (provider_id, subject, user_id, created_at, last_used_at)
         SELECT id, 'subject', $2, now(), now() FROM sso_providers WHERE organization_id = $1 LIMIT 1`,
        [teamId, user.id],
      )
    }
    const { body } = await read(user)
    const namesIn = (part: string) => [...new Set(body[part].map((row: { team: { name: string } }) => row.team?.name))]
    const parts = [
      'groups',
      'applicationAssignments',
      'teamPasswords',
      'externalIdentities',
      'providerSignIns',
      'samlNameIds',
      'scimProfiles',
      'directoryEntries',
    ]
    for (const part of parts) expect(namesIn(part), part).toEqual(['Company'])
    expect(namesIn('signInNetworks').toSorted()).toEqual(['Company', undefined])
    expect(body.directoryEntries[0]).toMatchObject({ dn: expect.any(String), active: true, goneSince: null })
    expect(Object.keys(body).toSorted()).toEqual(
      [...new Set(['exportedAt', 'events', 'endedSessions', ...Object.values(EXPORTED)])].toSorted(),
    )
  })

  it('contains nothing of the home team before the email address is verified, because the address may belong to another person', async () => {
    const domain = `${newName('corp')}.example`
    const company = await registerUser(service)
    await verifyDomain(service, company.teamId, domain)
    const email = `ada@${domain}`
    const registrant = await registerUser(service, { email, overHttp: true })
    const temporaryPassword = 'handed over by the help desk'
    await addUser(service, company, { email, temporaryPassword })
    await fillTeam(service.sql, { teamId: company.teamId, userId: registrant.id })
    for (const table of ['sso_sign_ins', 'directory_entries'])
      await service.sql(`UPDATE ${table} SET user_id = $2 WHERE organization_id = $1`, [company.teamId, registrant.id])
    // The owner of the address.
    const headers = { 'user-agent': 'browser-of-the-owner' }
    const post = (path: string, body: object) => service.api('POST', `/api/v1/auth${path}`, { headers, body })
    const { status, body: owner } = await post('/login', { email, password: temporaryPassword, teamId: company.teamId })
    expect(status).toBe(200)
    await post('/login', { email, password: 'mistyped', teamId: company.teamId })
    await post('/login', { email, password: 'mistyped' })
    for (const path of ['/forgot-password', '/magic-link']) await post(path, { email })
    await service.settle()
    await service.api('POST', `/api/v1/users/${registrant.id}/lock-down`, { token: company.token })
    await service.sql('UPDATE sessions SET ended_at = now() WHERE id = $1', [claimsOf(owner.accessToken).sid])

    const fresh = await logIn(service, { email, password: registrant.password })
    const { body, text } = await read(fresh)
    for (const foreign of [company.teamId, headers['user-agent']]) expect(text).not.toContain(foreign)
    expect(body.activity.map(({ action }: { action: string }) => action)).not.toContain('user.link_requested')
    expect(body.mailedLinks.map(({ kind }: { kind: string }) => kind)).toEqual(['verify_email'])
    expect(body.activity.length).toBeGreaterThan(0)
    const events = await service.api('GET', '/api/v1/auth/events', { token: fresh.token })
    for (const foreign of [company.teamId, headers['user-agent'], '"actor":"team"'])
      expect(events.text).not.toContain(foreign)
    const failed = events.body.data.find(({ result }: { result: string }) => result === 'FAILURE')
    expect(failed).toMatchObject({ action: 'user.login', ipAddress: null, device: null, country: null })
  })

  it('contains acts of the user and of others on the user, with the data of the user and without who acted', async () => {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    const company = await registerUser(service)
    await joinTeam(service, user, company.teamId)
    const changed = await service.api('PUT', `/api/v1/users/${user.id}`, {
      token: company.token,
      body: { firstName: 'Ada', lastName: 'Lovelace' },
    })
    expect(changed.status).toBe(200)
    const other = await addUser(service, company)
    const { body, text } = await read(user)
    const acts = body.activity.filter(({ actor }: { actor: string }) => actor === 'other')
    expect(acts.find(({ action }: { action: string }) => action === 'user.updated')).toMatchObject({
      teamId: company.teamId,
      ...{ ipAddress: null, userAgent: null, sessionId: null, country: null },
    })
    for (const foreign of [company.id, company.email, other.id, other.email]) expect(text).not.toContain(foreign)

    await service.api('POST', '/api/v1/organizations', { token: user.token, body: { name: 'Engines' } })
    // An act of the user on another member has data of that member.
    const { id } = await addUser(service, user, { email: `grace-${user.id}@example.com`, firstName: 'Grace' })
    const own = (await read(user)).text
    expect(own).toContain('"details":{"name":"Engines"')
    expect(own).toContain('"user.created"')
    for (const foreign of [id, `grace-${user.id}`, 'Grace']) expect(own).not.toContain(foreign)
  })

  it('contains invitations and mails to the email address after its verification alone', async () => {
    const user = await registerUser(service)
    const inviter = await registerUser(service)
    await invite(service, inviter, user.email)
    await service.settle()
    const before = (await read(user)).body
    expect([before.invitations, before.mails]).toEqual([[], []])
    await verifyEmailAddress(service, user)
    const { body } = await read(user)
    expect(body.invitations).toMatchObject([{ team: { id: inviter.teamId }, role: 'MEMBER', status: 'PENDING' }])
    expect(body.mails.map(({ kind }: { kind: string }) => kind)).toContain('invitation')
  })
})
