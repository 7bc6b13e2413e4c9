import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { parseId, type ScimTokenId, type TeamId, type UserId } from '../../platform/ids.js'
import { memberships } from '../members/index.js'
import { permissionsOf } from '../permissions/index.js'
import { type DelegatedBy, isDelegated } from '../sessions/index.js'
import { currentEpoch, users } from '../users/index.js'
import { scimTokens } from './tables.js'

// Locks the account like the suspension or removal of a member does, so either that finds the token or the token is not created. The team
// cannot be deleted before the token is inserted.
const lockCreator = namedQuery<{ role: string; memberSince: Date }, [UserId, TeamId]>(
  'access_tokens.lock_scim_token_creator',
  `SELECT m.role, m.created_at AS "memberSince" FROM users u JOIN memberships m ON m.user_id = u.id JOIN organizations o ON o.id = m.organization_id
   WHERE u.id = $1 AND u.status = 'active' AND m.organization_id = $2 AND m.status = 'active' FOR NO KEY UPDATE OF u FOR KEY SHARE OF o`,
)

const COLUMNS = {
  id: scimTokens.id,
  name: scimTokens.name,
  prefix: scimTokens.prefix,
  permissions: scimTokens.permissions,
  createdBy: { id: users.id, email: users.email },
  createdAt: scimTokens.createdAt,
  expiresAt: scimTokens.expiresAt,
  lastUsedAt: scimTokens.lastUsedAt,
  revokedAt: scimTokens.revokedAt,
  account: users.status,
  isOfEpoch: sql<boolean>`${users.epoch} = ${scimTokens.epoch}`,
  role: memberships.role,
  membership: memberships.status,
  memberSince: memberships.createdAt,
}

export interface ScimToken {
  id: ScimTokenId
  name: string
  prefix: string
  createdBy: { id: UserId; email: string }
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
  /** Whether the creator is no longer an active member or may no longer create a token: it is invalid. */
  orphaned: boolean
}

interface Row extends Omit<ScimToken, 'orphaned'> {
  permissions: string[]
  account: string
  isOfEpoch: boolean
  role: string | null
  membership: string | null
  memberSince: Date | null
}

/** Derives whether the token is valid, with the same rules as the authentication. */
function tokenOf({ permissions, account, isOfEpoch, role, membership, memberSince, ...token }: Row): ScimToken {
  const isSame = memberSince !== null && memberSince <= token.createdAt
  const isActive = account === 'active' && isOfEpoch && membership === 'active' && isSame
  return { ...token, orphaned: !isActive || !isAllowed(permissions, role ?? '') }
}

/** Returns whether a token with these permissions is valid, given the current role of its creator. */
export const isAllowed = (permissions: readonly string[], role: string): boolean =>
  permissions.includes('scim:token') && permissionsOf(role).has('scim:token')

/** Returns the permissions of a token: those that its creator had at creation and still has. */
export function permissionsOfToken({
  permissions,
  role,
}: {
  permissions: readonly string[]
  role: string
}): ReadonlySet<string> {
  const held = permissionsOf(role)
  return new Set(permissions.filter((permission) => held.has(permission)))
}

/** Queries for the SCIM tokens of one team. */
export const tokenRepository = (tx: Transaction, teamId: TeamId) => {
  const read = () =>
    tx
      .select(COLUMNS)
      .from(scimTokens)
      .innerJoin(users, eq(users.id, scimTokens.createdBy))
      .leftJoin(
        memberships,
        and(eq(memberships.userId, scimTokens.createdBy), eq(memberships.organizationId, scimTokens.organizationId)),
      )

  return {
    /** Locks the creator of a token; returns undefined if they are no longer a member. */
    async lockCreator(userId: UserId): Promise<{ role: string; memberSince: Date } | undefined> {
      return (await tx.run(lockCreator, [userId, teamId]))[0]
    },

    /** Returns all tokens, newest first, without paging: a team has few. */
    async list(): Promise<ScimToken[]> {
      const rows = await read()
        .where(eq(scimTokens.organizationId, teamId))
        .orderBy(desc(scimTokens.createdAt), desc(scimTokens.id))
      return rows.map(tokenOf)
    },

    /** Returns undefined if the ID is malformed, unknown, or belongs to another team. */
    async find(id: string): Promise<ScimToken | undefined> {
      const known = parseId<ScimTokenId>(id)
      if (!known) return undefined
      const [row] = await read().where(and(eq(scimTokens.id, known), eq(scimTokens.organizationId, teamId)))
      return row && tokenOf(row)
    },

    async insert(values: Omit<typeof scimTokens.$inferInsert, 'organizationId'>): Promise<void> {
      await tx.insert(scimTokens).values({ ...values, organizationId: teamId, epoch: currentEpoch(values.createdBy) })
    },

    /** Returns false if the token was already revoked, so only one of several concurrent calls records it. */
    async revoke(id: ScimTokenId, now: Date): Promise<boolean> {
      const revoked = await tx
        .update(scimTokens)
        .set({ revokedAt: now })
        .where(and(eq(scimTokens.id, id), eq(scimTokens.organizationId, teamId), isNull(scimTokens.revokedAt)))
        .returning({ id: scimTokens.id })
      return revoked.length > 0
    },
  }
}

// Reads the creator's state again but does not lock it, because the change may affect the creator.
const lockToken = namedQuery<{ permissions: string[]; role: string }, [ScimTokenId, Date]>(
  'access_tokens.lock_scim_token',
  `SELECT t.permissions, m.role FROM scim_tokens t
   JOIN users u ON u.id = t.created_by AND u.status = 'active' AND u.epoch = t.epoch
   JOIN memberships m ON m.user_id = t.created_by AND m.organization_id = t.organization_id AND m.status = 'active'
     AND m.created_at <= t.created_at
   WHERE t.id = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2) FOR SHARE OF t`,
)

/**
 * Locks a token and returns its current permissions; undefined if it is no longer valid. A concurrent revocation waits. Runs in the
 * caller's transaction.
 */
export async function lockScimToken(
  tx: Transaction,
  clock: Clock,
  id: ScimTokenId,
): Promise<ReadonlySet<string> | undefined> {
  const [token] = await tx.run(lockToken, [id, clock.now()])
  return token && isAllowed(token.permissions, token.role) ? permissionsOfToken(token) : undefined
}

/**
 * Revokes the SCIM tokens that the user created, in any team or those that `which` selects. Runs in the caller's transaction.
 * @returns the team of each
 */
export async function revokeScimTokensOf(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  which?: DelegatedBy,
): Promise<TeamId[]> {
  const revoked = await tx
    .update(scimTokens)
    .set({ revokedAt: clock.now() })
    .where(and(eq(scimTokens.createdBy, userId), isNull(scimTokens.revokedAt), which && isDelegated(scimTokens, which)))
    .returning({ teamId: scimTokens.organizationId })
  return revoked.map(({ teamId }) => teamId)
}

/** Revokes all SCIM tokens of the team. Runs in the caller's transaction. @returns the number of revoked tokens */
export async function revokeScimTokensOfTeam(tx: Transaction, clock: Clock, teamId: TeamId): Promise<number> {
  const revoked = await tx
    .update(scimTokens)
    .set({ revokedAt: clock.now() })
    .where(and(eq(scimTokens.organizationId, teamId), isNull(scimTokens.revokedAt)))
    .returning({ id: scimTokens.id })
  return revoked.length
}

/** Returns the names of those of `ids` that are SCIM tokens of the team. Runs in the caller's transaction. */
export async function scimTokenNames(tx: Transaction, teamId: TeamId, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: scimTokens.id, name: scimTokens.name })
    .from(scimTokens)
    .where(and(eq(scimTokens.organizationId, teamId), anyOf(scimTokens.id, ids as ScimTokenId[])))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
