import { expect } from 'vitest'
import type { TestUser } from '../factories/factories.js'
import type { ApiResponse } from '../harness/api.js'
import type { TestService } from '../harness/service.js'
import { BASE_DN, BIND_DN, BIND_PASSWORD, type Slapd } from './slapd.js'

const CONFIG = '/api/v1/directory/ldap/config'

/** Configures the OpenLDAP server as the directory of the user's team. */
export async function writeDirectory(
  { api }: TestService,
  { token }: Pick<TestUser, 'token'>,
  { port }: Pick<Slapd, 'port'>,
  fields: Record<string, unknown> = {},
): Promise<ApiResponse['body']> {
  const { status, body } = await api('POST', CONFIG, {
    token,
    body: {
      ldapUrl: `ldap://127.0.0.1:${port}`,
      ldapBaseDn: BASE_DN,
      ldapBindDn: BIND_DN,
      ldapBindPassword: BIND_PASSWORD,
      preset: 'openldap',
      ...fields,
    },
  })
  expect([200, 201], JSON.stringify(body)).toContain(status)
  return body
}

/** Starts a sync and returns its run. */
export async function syncDirectory(
  { api }: TestService,
  { token }: Pick<TestUser, 'token'>,
  options: Record<string, unknown> = {},
): Promise<ApiResponse['body']> {
  const { status, body } = await api('POST', '/api/v1/directory/ldap/sync', { token, body: options })
  expect(status, JSON.stringify(body)).toBe(200)
  return { ...body.run, status: body.status }
}

/** Returns the members of the team by email address. */
export async function membersByEmail(
  { sql }: TestService,
  { teamId }: Pick<TestUser, 'teamId'>,
): Promise<Record<string, { id: string; status: string; first_name: string | null; title: string | null }>> {
  const rows = await sql<{
    id: string
    email: string
    status: string
    first_name: string | null
    title: string | null
  }>(
    `SELECT u.id, u.email, m.status, m.first_name, m.title FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1`,
    [teamId],
  )
  return Object.fromEntries(rows.map(({ email, ...row }) => [email, row]))
}

/** Returns the sorted email addresses of the members of each group of the team. */
export async function groupMembersByName(
  { sql }: TestService,
  { teamId }: Pick<TestUser, 'teamId'>,
): Promise<Record<string, string[]>> {
  const rows = await sql<{ name: string; emails: string[] }>(
    `SELECT g.name, array_remove(array_agg(u.email ORDER BY u.email), NULL) AS emails FROM groups g
     LEFT JOIN group_members gm ON gm.group_id = g.id LEFT JOIN users u ON u.id = gm.user_id
     WHERE g.organization_id = $1 GROUP BY g.name`,
    [teamId],
  )
  return Object.fromEntries(rows.map(({ name, emails }) => [name, emails]))
}
