import { and, count, desc, eq, gt, isNull, lte, not, or, type SQL } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { type ApiTokenId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { memberships } from '../members/index.js'
import { createdIn, isTemporary, type OwnSession, type Provenance, type TemporaryScope } from '../sessions/index.js'
import { currentEpoch, users } from '../users/index.js'
import type { ApiToken } from './api-token.js'
import { apiTokens } from './tables.js'

// A suspension takes the same lock on the account: it either runs first, and no token is created, or waits and revokes the new token. The lock
// on the team prevents its deletion before the token is inserted.
const lockCreator = namedQuery<{ role: string; memberSince: Date }, [UserId, TeamId]>(
  'access_tokens.lock_token_creator',
  `SELECT m.role, m.created_at AS "memberSince" FROM users u JOIN memberships m ON m.user_id = u.id JOIN organizations o ON o.id = m.organization_id
   WHERE u.id = $1 AND u.status = 'active' AND m.organization_id = $2 AND m.status = 'active' FOR NO KEY UPDATE OF u FOR KEY SHARE OF o`,
)

const COLUMNS = {
  id: apiTokens.id,
  organizationId: apiTokens.organizationId,
  name: apiTokens.name,
  prefix: apiTokens.prefix,
  scopes: apiTokens.scopes,
  createdBy: { id: users.id, email: users.email },
  createdAt: apiTokens.createdAt,
  expiresAt: apiTokens.expiresAt,
  lastUsedAt: apiTokens.lastUsedAt,
  revokedAt: apiTokens.revokedAt,
  creatorLeft: isNull(memberships.id).mapWith(Boolean),
}

/** Queries for the API tokens of one team. */
export const apiTokenRepository = (tx: Transaction, teamId: TeamId) => {
  const selectTokens = () =>
    tx
      .select(COLUMNS)
      .from(apiTokens)
      .innerJoin(users, eq(users.id, apiTokens.createdBy))
      .leftJoin(
        memberships,
        and(
          eq(memberships.userId, apiTokens.createdBy),
          eq(memberships.organizationId, apiTokens.organizationId),
          lte(memberships.createdAt, apiTokens.createdAt),
        ),
      )

  return {
    /** Locks the creator's account and returns their membership; undefined if it or the account is no longer active. */
    async lockCreator(userId: UserId): Promise<{ role: string; memberSince: Date } | undefined> {
      return (await tx.run(lockCreator, [userId, teamId]))[0]
    },

    /** Returns one page of tokens, newest first. */
    async page({ page, limit }: { page: number; limit: number }): Promise<{ tokens: ApiToken[]; total: number }> {
      const ofTeam = eq(apiTokens.organizationId, teamId)
      const tokens = await selectTokens()
        .where(ofTeam)
        .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
        .limit(limit)
        .offset((page - 1) * limit)
      const [counted] = await tx.select({ total: count() }).from(apiTokens).where(ofTeam)
      return { tokens, total: counted?.total ?? 0 }
    },

    /** Returns undefined if the ID is malformed, unknown, or belongs to another team. */
    async find(id: string): Promise<ApiToken | undefined> {
      const tokenId = parseId<ApiTokenId>(id)
      return (
        tokenId && (await selectTokens().where(and(eq(apiTokens.id, tokenId), eq(apiTokens.organizationId, teamId))))[0]
      )
    },

    async insert(
      values: Pick<ApiToken, 'id' | 'name' | 'prefix' | 'scopes' | 'createdAt' | 'expiresAt'> &
        Provenance & { hash: Buffer; createdBy: UserId },
    ): Promise<void> {
      await tx.insert(apiTokens).values({ ...values, organizationId: teamId, epoch: currentEpoch(values.createdBy) })
    },

    /** Revokes the token. Returns false if it was already revoked. */
    async revoke(id: ApiTokenId, now: Date): Promise<boolean> {
      const revoked = await tx
        .update(apiTokens)
        .set({ revokedAt: now })
        .where(and(eq(apiTokens.id, id), eq(apiTokens.organizationId, teamId), isNull(apiTokens.revokedAt)))
        .returning({ id: apiTokens.id })
      return revoked.length > 0
    },
  }
}

/** Revokes the API tokens that match. Runs in the caller's transaction. @returns the team of each revoked token */
async function revokeWhere(tx: Transaction, clock: Clock, condition: SQL | undefined): Promise<TeamId[]> {
  const revoked = await tx
    .update(apiTokens)
    .set({ revokedAt: clock.now() })
    .where(and(isNull(apiTokens.revokedAt), condition))
    .returning({ teamId: apiTokens.organizationId })
  return revoked.map(({ teamId }) => teamId)
}

/** Revokes all API tokens that the user created, or those in one team. Runs in the caller's transaction. @returns the number of revoked tokens */
export async function revokeApiTokensOfUser(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  teamId?: TeamId,
): Promise<number> {
  const inTeam = teamId === undefined ? undefined : eq(apiTokens.organizationId, teamId)
  return (await revokeWhere(tx, clock, and(eq(apiTokens.createdBy, userId), inTeam))).length
}

/** Revokes the user's API tokens that were not created in the session. Runs in the caller's transaction. @returns the number of revoked tokens */
export async function revokeApiTokensNotCreatedIn(tx: Transaction, clock: Clock, own: OwnSession): Promise<number> {
  const { createdBy, createdAt } = apiTokens
  return (await revokeWhere(tx, clock, and(eq(createdBy, own.user), not(createdIn(createdAt, own))))).length
}

/** Revokes all API tokens of the team. Runs in the caller's transaction. @returns the number of revoked tokens */
export const revokeApiTokensOfTeam = async (tx: Transaction, clock: Clock, teamId: TeamId): Promise<number> =>
  (await revokeWhere(tx, clock, eq(apiTokens.organizationId, teamId))).length

/**
 * Revokes the API tokens that the user created in sessions with a temporary password. Runs in the caller's transaction.
 * @returns the team of each revoked token
 */
export const revokeTemporaryApiTokens = (
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  by: TemporaryScope,
): Promise<TeamId[]> => revokeWhere(tx, clock, and(eq(apiTokens.createdBy, userId), isTemporary(apiTokens, by)))

/** Returns the token names of the team by ID; IDs of other objects are omitted. Runs in the caller's transaction. */
export async function apiTokenNames(tx: Transaction, teamId: TeamId, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: apiTokens.id, name: apiTokens.name })
    .from(apiTokens)
    .where(and(eq(apiTokens.organizationId, teamId), anyOf(apiTokens.id, ids as ApiTokenId[])))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * Locks the token and returns its provenance; undefined if it is revoked or has expired. The lock prevents its revocation until the
 * transaction ends. Runs in the caller's transaction.
 */
export async function lockApiToken(tx: Transaction, clock: Clock, id: ApiTokenId): Promise<Provenance | undefined> {
  const [token] = await tx
    .select({ temporarySetBy: apiTokens.temporarySetBy })
    .from(apiTokens)
    .where(
      and(
        eq(apiTokens.id, id),
        isNull(apiTokens.revokedAt),
        or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, clock.now())),
      ),
    )
    .for('share')
  return token
}
