import { sql } from 'drizzle-orm'
import { randomToken, uuidv7 } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { invalidAccessToken } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { ScimTokenId, TeamId } from '../../../platform/ids.js'
import { type RequestedExpiry, requireActiveActor, tokenExpiry } from '../../credentials/index.js'
import { groups } from '../../groups/index.js'
import { memberships } from '../../members/index.js'
import { permissionsOf } from '../../permissions/index.js'
import { requireRecentAuthentication } from '../../sessions/index.js'
import { users } from '../../users/index.js'
import type { ScimDeps } from '../model/deps.js'
import { type ScimToken, tokenRepository } from '../model/token-repository.js'
import { scimGroups, scimUsers } from '../tables.js'
import { MEMBER_COLUMNS } from '../users/user-columns.js'
import { rejection } from './errors.js'

/** The prefix of SCIM tokens, by which users and secret scanners recognize them. No other token has it. */
const MARK = 'kwscim_'

/** The length that lets the owner identify a token in the list: 42 of its 256 bits. */
const PREFIX_LENGTH = MARK.length + 7

/** The default name of a token. */
const UNNAMED = 'SCIM token'

/**
 * Creates a SCIM token of the caller's team. It has the caller's current permissions, as long as the caller keeps them. The token is
 * returned only once; the database stores its SHA-256.
 * @throws session_required, reauthentication_required, invalid_request
 */
export function createScimToken(
  { db, clock, audit }: ScimDeps,
  actor: Actor,
  requested: RequestedExpiry & { name?: string | undefined },
): Promise<{ scimToken: ScimToken; token: string }> {
  requireRecentAuthentication(clock, actor)
  const expiresAt = tokenExpiry(clock, requested)
  const name = requested.name?.trim() ?? UNNAMED
  const token = `${MARK}${randomToken()}`
  return db.transaction(async (tx) => {
    const tokens = tokenRepository(tx, actor.teamId)
    const creator = await tokens.lockCreator(actor.userId)
    if (!creator) throw invalidAccessToken()
    const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
    const id = uuidv7<ScimTokenId>(clock)
    // Not before the membership began, even if another node's clock is ahead.
    const createdAt = new Date(Math.max(clock.ms(), creator.memberSince.getTime()))
    const created = { id, name, prefix: token.slice(0, PREFIX_LENGTH), createdAt, expiresAt }
    const permissions = [...permissionsOf(creator.role)]
    await tokens.insert({ ...created, permissions, hash: tokenHash(token), createdBy: actor.userId, temporarySetBy })
    await audit.record(tx, actor, 'scim_token.created', {
      resource: `scim_token:${id}`,
      metadata: { name, prefix: created.prefix, expiresAt: expiresAt?.toISOString() ?? null },
    })
    const createdBy = { id: actor.userId, email: actor.user.email }
    return { scimToken: { ...created, createdBy, lastUsedAt: null, revokedAt: null, orphaned: false }, token }
  })
}

/** The number of resources of a team that SCIM clients have written. */
interface Written extends Record<string, unknown> {
  users: number
  /** Those of the users that are not active. */
  suspended: number
  groups: number
}

/** Returns all SCIM tokens of the team, newest first, and what their clients have written. */
export const listScimTokens = (
  { db }: ScimDeps,
  { teamId }: Actor,
): Promise<{ tokens: ScimToken[]; written: Written }> =>
  db.transaction(async (tx) => ({
    tokens: await tokenRepository(tx, teamId).list(),
    written: await countWritten(tx, teamId),
  }))

/**
 * Counts the users and groups of the team that SCIM clients have created or changed. Former members are not counted. Runs in the caller's
 * transaction.
 */
async function countWritten(tx: Transaction, teamId: TeamId): Promise<Written> {
  const { rows } = await tx.execute<Written>(
    sql`SELECT count(*)::int AS users, count(*) FILTER (WHERE NOT ${MEMBER_COLUMNS.active})::int AS suspended,
        (SELECT count(*)::int FROM ${groups} g JOIN ${scimGroups} x ON x.group_id = g.id WHERE g.organization_id = ${teamId}) AS groups
      FROM ${memberships} m JOIN ${users} u ON u.id = m.user_id JOIN ${scimUsers} s ON s.membership_id = m.id
      WHERE m.organization_id = ${teamId}`,
  )
  return rows[0] ?? { users: 0, suspended: 0, groups: 0 }
}

/** Revokes a token, effective on the next request. Idempotent. @throws scim_token_not_found */
export function revokeScimToken({ db, clock, audit }: ScimDeps, actor: Actor, id: string): Promise<ScimToken> {
  return db.transaction(async (tx) => {
    const tokens = tokenRepository(tx, actor.teamId)
    const token = await tokens.find(id)
    if (!token) throw rejection('scim_token_not_found')
    const now = clock.now()
    if (await tokens.revoke(token.id, now))
      await audit.record(tx, actor, 'scim_token.revoked', {
        resource: `scim_token:${token.id}`,
        metadata: { name: token.name, prefix: token.prefix },
      })
    return { ...token, revokedAt: token.revokedAt ?? now }
  })
}
