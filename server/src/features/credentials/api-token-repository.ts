import { and, count, desc, eq, gt, isNull, lte, not, or } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { type ApiTokenId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { memberships } from '../members/index.js'
import { createdIn, isTemporary, type OwnSession, type Provenance, type TemporaryBy } from '../sessions/index.js'
import { currentEpoch, users } from '../users/index.js'
import type { ApiToken } from './api-token.js'
import { apiTokens } from './tables.js'

// The account is locked as by whoever suspends or shuts out the member, so that they find the token or it is not made; the team cannot
// go away before the token is written.
const lockCreator = namedQuery<{ role: string; memberSince: Date }, [UserId, TeamId]>(
  'credentials.lock_token_maker',
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

/** The API tokens of a team. */
export const apiTokenRepository = (tx: Transaction, teamId: TeamId) => {
  const read = () =>
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
    /** Who makes a token, as a member now; undefined when they have left meanwhile. */
    async lockCreator(userId: UserId): Promise<{ role: string; memberSince: Date } | undefined> {
      return (await tx.run(lockCreator, [userId, teamId]))[0]
    },

    /** Newest first. */
    async page({ page, limit }: { page: number; limit: number }): Promise<{ tokens: ApiToken[]; total: number }> {
      const ofTeam = eq(apiTokens.organizationId, teamId)
      const tokens = await read()
        .where(ofTeam)
        .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
        .limit(limit)
        .offset((page - 1) * limit)
      const [counted] = await tx.select({ total: count() }).from(apiTokens).where(ofTeam)
      return { tokens, total: counted?.total ?? 0 }
    },

    /** Undefined for an unknown id, for one of another team, and for a text that is none alike. */
    async find(id: string): Promise<ApiToken | undefined> {
      const known = parseId<ApiTokenId>(id)
      return known && (await read().where(and(eq(apiTokens.id, known), eq(apiTokens.organizationId, teamId))))[0]
    },

    async insert(
      values: Pick<ApiToken, 'id' | 'name' | 'prefix' | 'scopes' | 'createdAt' | 'expiresAt'> &
        Provenance & { hash: Buffer; createdBy: UserId },
    ): Promise<void> {
      await tx.insert(apiTokens).values({ ...values, organizationId: teamId, epoch: currentEpoch(values.createdBy) })
    },

    /** False when it was revoked before: of several at once one is told. */
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

/** A step: every API token that the user made, in the team or in whatever team, is dead; answers how many were alive. */
export async function revokeApiTokensOf(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  teamId?: TeamId,
): Promise<number> {
  const revoked = await tx
    .update(apiTokens)
    .set({ revokedAt: clock.now() })
    .where(
      and(
        eq(apiTokens.createdBy, userId),
        isNull(apiTokens.revokedAt),
        teamId === undefined ? undefined : eq(apiTokens.organizationId, teamId),
      ),
    )
    .returning({ id: apiTokens.id })
  return revoked.length
}

/** Revokes the user's API tokens that were not created in the session. Runs in the caller's transaction. @returns how many were valid */
export async function revokeApiTokensNotCreatedIn(tx: Transaction, clock: Clock, own: OwnSession): Promise<number> {
  const { createdBy, revokedAt, createdAt } = apiTokens
  const revoked = await tx
    .update(apiTokens)
    .set({ revokedAt: clock.now() })
    .where(and(eq(createdBy, own.user), isNull(revokedAt), not(createdIn(createdAt, own))))
    .returning({ id: apiTokens.id })
  return revoked.length
}

/** Revokes all API tokens of the team. Runs in the caller's transaction. @returns how many were valid */
export async function revokeApiTokensOfTeam(tx: Transaction, clock: Clock, teamId: TeamId): Promise<number> {
  const revoked = await tx
    .update(apiTokens)
    .set({ revokedAt: clock.now() })
    .where(and(eq(apiTokens.organizationId, teamId), isNull(apiTokens.revokedAt)))
    .returning({ id: apiTokens.id })
  return revoked.length
}

/**
 * Revokes the API tokens that the user created in sessions that a temporary password started. Runs in the caller's transaction.
 * @returns the team of each
 */
export async function revokeTemporaryApiTokens(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  by: TemporaryBy,
): Promise<TeamId[]> {
  const revoked = await tx
    .update(apiTokens)
    .set({ revokedAt: clock.now() })
    .where(and(eq(apiTokens.createdBy, userId), isNull(apiTokens.revokedAt), isTemporary(apiTokens, by)))
    .returning({ teamId: apiTokens.organizationId })
  return revoked.map(({ teamId }) => teamId)
}

/**
 * Returns what the token was created with; undefined if it is revoked or has expired. An active one is not revoked until the transaction
 * ends. Runs in the caller's transaction.
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
