import { and, count, desc, eq, gt, isNull, not, or, type SQL, sql } from 'drizzle-orm'
import { type Clock, fromNow, MINUTE } from '../../platform/clock.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { type ApiTokenId, parseId, type ScimTokenId, type TeamId, type UserId } from '../../platform/ids.js'
import { isCoveredBySetter, memberships } from '../members/index.js'
import { createdIn, type DelegatedBy, isDelegated, type OwnSession, type Provenance } from '../sessions/index.js'
import { currentEpoch, users } from '../users/index.js'
import { apiTokens, scimTokens } from './tables.js'
import { type AccessToken, API_TOKENS, isScimTokenAllowed, permissionsOfToken, type TokenKind } from './token.js'

const TABLES = { api_token: apiTokens, scim_token: scimTokens }

// A suspension takes the same lock on the account: it either runs first, and no token is created, or waits and revokes the new token. The lock
// on the team prevents its deletion before the token is inserted.
const lockCreator = namedQuery<{ role: string; memberSince: Date }, [UserId, TeamId]>(
  'access_tokens.lock_creator',
  `SELECT m.role, m.created_at AS "memberSince" FROM users u JOIN memberships m ON m.user_id = u.id JOIN organizations o ON o.id = m.organization_id
   WHERE u.id = $1 AND u.status = 'active' AND m.organization_id = $2 AND m.status = 'active' FOR NO KEY UPDATE OF u FOR KEY SHARE OF o`,
)

/** Queries for the tokens of one kind in one team. */
export const tokenRepository = (tx: Transaction, { resource }: TokenKind, teamId: TeamId) => {
  const table = TABLES[resource]
  const ofTeam = eq(table.organizationId, teamId)
  const isMember = sql`coalesce(${memberships.createdAt} <= ${table.createdAt}, false)`
  const isActive = sql`${isMember} AND ${memberships.status} = 'active' AND ${users.status} = 'active' AND ${users.epoch} = ${table.epoch}`
  const selectTokens = () =>
    tx
      .select({
        id: table.id,
        name: table.name,
        prefix: table.prefix,
        permissions: table.permissions,
        createdBy: { id: users.id, email: users.email },
        createdAt: table.createdAt,
        expiresAt: table.expiresAt,
        lastUsedAt: table.lastUsedAt,
        revokedAt: table.revokedAt,
        creator: {
          isMember: sql<boolean>`${isMember}`,
          isActive: sql<boolean>`${isActive}`,
          role: sql<string | null>`${memberships.role}`,
        },
      })
      .from(table)
      .innerJoin(users, eq(users.id, table.createdBy))
      .leftJoin(
        memberships,
        and(eq(memberships.userId, table.createdBy), eq(memberships.organizationId, table.organizationId)),
      )
  const newest = () => selectTokens().where(ofTeam).orderBy(desc(table.createdAt), desc(table.id)).$dynamic()

  return {
    /** Locks the creator's account and returns their membership; undefined if it or the account is no longer active. */
    async lockCreator(userId: UserId): Promise<{ role: string; memberSince: Date } | undefined> {
      return (await tx.run(lockCreator, [userId, teamId]))[0]
    },

    /** Returns all tokens, newest first. */
    list: async (): Promise<AccessToken[]> => newest(),

    /** Returns one page of tokens, newest first. */
    async page({ page, limit }: { page: number; limit: number }): Promise<{ tokens: AccessToken[]; total: number }> {
      const tokens = await newest()
        .limit(limit)
        .offset((page - 1) * limit)
      const [counted] = await tx.select({ total: count() }).from(table).where(ofTeam)
      return { tokens, total: counted?.total ?? 0 }
    },

    /** Returns undefined if the ID is malformed, unknown, or belongs to another team. */
    async find(id: string): Promise<AccessToken | undefined> {
      const tokenId = parseId<AccessToken['id']>(id)
      return tokenId && (await selectTokens().where(and(eq(table.id, tokenId), ofTeam)))[0]
    },

    async insert(values: Omit<typeof table.$inferInsert, 'organizationId' | 'epoch'>): Promise<void> {
      await tx.insert(table).values({ ...values, organizationId: teamId, epoch: currentEpoch(values.createdBy) })
    },

    /** Revokes the token. Returns false if it was already revoked, so only one of several concurrent calls records it. */
    async revoke(id: AccessToken['id'], now: Date): Promise<boolean> {
      const revoked = await tx
        .update(table)
        .set({ revokedAt: now })
        .where(and(eq(table.id, id), ofTeam, isNull(table.revokedAt)))
        .returning({ id: table.id })
      return revoked.length > 0
    },
  }
}

/** Revokes the tokens that match. Runs in the caller's transaction. @returns the team of each revoked token */
async function revokeWhere(
  tx: Transaction,
  clock: Clock,
  { resource }: TokenKind,
  conditionOn: (table: typeof apiTokens) => SQL | undefined,
): Promise<TeamId[]> {
  const table = TABLES[resource]
  const revoked = await tx
    .update(table)
    .set({ revokedAt: clock.now() })
    .where(and(isNull(table.revokedAt), conditionOn(table)))
    .returning({ teamId: table.organizationId })
  return revoked.map(({ teamId }) => teamId)
}

/**
 * Revokes the tokens that the user created, in any team or those that `which` selects. Runs in the caller's transaction.
 * @returns the team of each revoked token
 */
export const revokeTokensOf = (
  tx: Transaction,
  clock: Clock,
  kind: TokenKind,
  userId: UserId,
  which?: DelegatedBy,
): Promise<TeamId[]> =>
  revokeWhere(tx, clock, kind, (table) => and(eq(table.createdBy, userId), which && isDelegated(table, which)))

/** Revokes all tokens of the team. Runs in the caller's transaction. @returns the number of revoked tokens */
export const revokeTokensOfTeam = async (
  tx: Transaction,
  clock: Clock,
  kind: TokenKind,
  teamId: TeamId,
): Promise<number> => (await revokeWhere(tx, clock, kind, (table) => eq(table.organizationId, teamId))).length

/** Revokes the user's API tokens that were not created in the session. Runs in the caller's transaction. @returns the number of revoked tokens */
export const revokeApiTokensNotCreatedIn = async (tx: Transaction, clock: Clock, own: OwnSession): Promise<number> =>
  (
    await revokeWhere(tx, clock, API_TOKENS, ({ createdBy, createdAt }) =>
      and(eq(createdBy, own.user), not(createdIn(createdAt, own))),
    )
  ).length

/**
 * Locks the API token and returns its provenance; undefined if it is revoked or has expired. The lock prevents its revocation until the
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

/**
 * SQL: the tokens `t` with their creator `u`, who is an active member `m` since before the creation of the token. Excludes tokens of a session
 * with a temporary password of which the setter has lost permissions.
 */
export const withActiveCreator = (table: 'api_tokens' | 'scim_tokens'): string => `${table} t
   JOIN users u ON u.id = t.created_by AND u.status = 'active' AND u.epoch = t.epoch
   JOIN memberships m ON m.user_id = t.created_by AND m.organization_id = t.organization_id AND m.status = 'active'
     AND m.created_at <= t.created_at AND ${isCoveredBySetter('t.temporary_set_by', 'm.role', 't.organization_id')}`

/** SQL: whether the token `t` is valid at `$2`. */
export const IS_VALID = 't.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)'

// Skips a locked row, because the concurrent request records the use. So no request waits for a lock here.
const usedBefore = (table: string) =>
  `SELECT id FROM ${table} WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3) FOR NO KEY UPDATE SKIP LOCKED`
type Use = [id: AccessToken['id'], now: Date, before: Date]
const USES = {
  api_token: namedQuery<never, Use>(
    'access_tokens.record_use_of_api_token',
    `UPDATE api_tokens SET last_used_at = $2 WHERE id = (${usedBefore('api_tokens')})`,
  ),
  scim_token: namedQuery<never, Use>(
    'access_tokens.record_use_of_scim_token',
    `UPDATE scim_tokens SET last_used_at = $2 WHERE id = (${usedBefore('scim_tokens')})`,
  ),
}

/** Records the use of a token, at most once a minute. */
export async function recordUse(
  { db, clock }: { db: Database; clock: Clock },
  { resource }: TokenKind,
  { id, last_used_at: lastUsedAt }: { id: AccessToken['id']; last_used_at: Date | null },
): Promise<void> {
  const aMinuteAgo = fromNow(clock, -MINUTE)
  if (!lastUsedAt || lastUsedAt <= aMinuteAgo) await db.run(USES[resource], [id, clock.now(), aMinuteAgo])
}

// Reads the state of the creator and the team again but does not lock it, because the change may affect the creator.
const lockToken = namedQuery<{ permissions: string[]; role: string }, [ScimTokenId, Date]>(
  'access_tokens.lock_scim_token',
  `SELECT t.permissions, m.role FROM ${withActiveCreator('scim_tokens')}
   JOIN organizations o ON o.id = t.organization_id AND o.status = 'ACTIVE' WHERE t.id = $1 AND ${IS_VALID} FOR SHARE OF t`,
)

/**
 * Locks the SCIM token and returns its current permissions; undefined if it is no longer valid. A concurrent revocation waits. Runs in the
 * caller's transaction.
 */
export async function lockScimToken(
  tx: Transaction,
  clock: Clock,
  id: ScimTokenId,
): Promise<ReadonlySet<string> | undefined> {
  const [token] = await tx.run(lockToken, [id, clock.now()])
  return token && isScimTokenAllowed(token) ? permissionsOfToken(token) : undefined
}
