import { sql } from 'drizzle-orm'
import { normalizeEmail } from '../../features/users/index.js'
import type { Clock } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import { parseId, type TeamId, type UserId } from '../../platform/ids.js'

/** An account as the operator sees it. Times are ISO 8601. */
export interface Account {
  id: UserId
  email: string
  emailVerified: boolean
  status: 'active' | 'suspended'
  hasPassword: boolean
  createdAt: string
  /** The last sign-in to any team; null if there is none. */
  lastSignInAt: string | null
  /** The time from which a requested deletion takes effect. */
  deletionScheduledAt: string | null
  teams: { id: TeamId; slug: string; name: string; role: string; status: string }[]
  /** Active second factors; `team` is the slug of the only team in which one is valid. */
  factors: { type: string; name: string; team: string | null; lastUsedAt: string | null }[]
  sessions: { id: string; team: string; method: string; ipAddress: string | null; lastSeenAt: string }[]
}

/** Returns the account with this email address or ID. @throws invalid_request for a malformed address */
export async function readAccount(db: Database, clock: Clock, user: string): Promise<Account | undefined> {
  const id = parseId<UserId>(user) ?? null
  const email = user.includes('@') ? normalizeEmail(user) : null
  const [row] = await db.read<{ account: Account }>(sql`
    SELECT jsonb_build_object(
      'id', u.id, 'email', u.email, 'emailVerified', u.email_verified_at IS NOT NULL, 'status', u.status,
      'hasPassword', u.password_set_at IS NOT NULL, 'createdAt', u.created_at, 'deletionScheduledAt', u.deletion_scheduled_at,
      'lastSignInAt', (SELECT max(s.authenticated_at) FROM sessions s WHERE s.user_id = u.id AND s.kind = 'session'),
      'teams', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'status', m.status)
          ORDER BY o.slug), '[]') FROM memberships m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = u.id),
      'factors', (SELECT coalesce(jsonb_agg(jsonb_build_object('type', f.type, 'name', f.name, 'team', o.slug, 'lastUsedAt', f.last_used_at)
          ORDER BY f.created_at), '[]') FROM factors f LEFT JOIN organizations o ON o.id = f.restricted_to_team_id
          WHERE f.user_id = u.id AND f.epoch = u.epoch AND f.verified_at IS NOT NULL AND f.type <> 'BACKUP_CODE'),
      'sessions', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'team', o.slug, 'method', s.method, 'ipAddress', s.ip_address,
          'lastSeenAt', s.last_seen_at) ORDER BY s.last_seen_at DESC), '[]') FROM sessions s JOIN organizations o ON o.id = s.organization_id
          WHERE s.user_id = u.id AND s.kind = 'session' AND s.ended_at IS NULL AND s.expires_at > ${clock.now()})
    ) AS account FROM users u WHERE u.id = ${id}::uuid OR u.email = ${email}`)
  return row && withIsoTimes(row.account)
}

/** Replaces the timestamps of PostgreSQL. */
function withIsoTimes(account: Account): Account {
  const iso = (time: string) => new Date(time).toISOString()
  const isoOrNull = (time: string | null) => time && iso(time)
  return {
    ...account,
    createdAt: iso(account.createdAt),
    lastSignInAt: isoOrNull(account.lastSignInAt),
    deletionScheduledAt: isoOrNull(account.deletionScheduledAt),
    factors: account.factors.map((factor) => ({ ...factor, lastUsedAt: isoOrNull(factor.lastUsedAt) })),
    sessions: account.sessions.map((session) => ({ ...session, lastSeenAt: iso(session.lastSeenAt) })),
  }
}
