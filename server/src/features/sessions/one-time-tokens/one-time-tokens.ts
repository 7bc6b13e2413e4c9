import { and, eq, gt, isNull, not, type SQL } from 'drizzle-orm'
import { type Clock, DAY, fromNow, MINUTE } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { createdIn, type OwnSession } from '../created-in.js'
import { rejection } from '../errors.js'
import { oneTimeTokens } from '../tables.js'

/**
 * The kinds of one-time tokens with their lifetimes. A token is valid for its own kind alone. Invitations have tokens of their own:
 * `INVITATION_LIFETIME` in `members`.
 */
export const ONE_TIME_TOKENS = {
  magic_link: 15 * MINUTE,
  /** Signs in like a magic link, to the team that added the user. Valid for days, because the user did not request it. */
  welcome: 7 * DAY,
  password_reset: 30 * MINUTE,
  verify_email: DAY,
  change_email: DAY,
  /** Deletes an unverified account that another user registered with the recipient's email address. */
  disown: 30 * MINUTE,
  /** A challenge: a sign-in that waits for a factor. */
  mfa_challenge: 5 * MINUTE,
} as const

export type OneTimeTokenKind = keyof typeof ONE_TIME_TOKENS

export interface OneTimeToken {
  kind: OneTimeTokenKind
  userId: UserId
  teamId: TeamId | null
  email: string
  /** The restriction of credentials that are created with it; null: unrestricted. */
  restrictedTo: TeamId | null
  /** Additional state of the kind. */
  data: Record<string, unknown>
}

/** The maximum number of valid links of one user and kind; of welcome links, per team. */
export const VALID_LINKS = 5

// Revokes the oldest links beyond the maximum, except challenges, which have no maximum. A requested email change also revokes earlier
// ones to other email addresses.
const insertToken = namedQuery<
  never,
  {
    hash: Buffer
    kind: OneTimeTokenKind
    userId: UserId
    teamId: TeamId | null
    email: string
    now: Date
    expiresAt: Date
    data: Record<string, unknown>
    seed: string | null
    keyId: string | null
    restrictedTo: TeamId | null
  }
>(
  'one_time_tokens.issue',
  `WITH earlier AS (UPDATE one_time_tokens SET used_at = :now WHERE :kind::text <> 'mfa_challenge' AND hash IN (
     SELECT hash FROM (SELECT hash, row_number() OVER (ORDER BY created_at DESC, expires_at DESC) AS rank, data ->> 'to' AS target FROM one_time_tokens
       WHERE user_id = :userId AND kind = :kind AND used_at IS NULL AND expires_at > :now AND (kind <> 'welcome' OR organization_id = :teamId)) valid
     WHERE rank >= ${VALID_LINKS} OR target IS DISTINCT FROM :data::jsonb ->> 'to'))
   INSERT INTO one_time_tokens (hash, kind, user_id, organization_id, email, data, created_at, expires_at, seed, key_id, restricted_to_team_id, epoch)
   SELECT :hash, :kind, :userId, :teamId, :email, :data, :now, :expiresAt, :seed::uuid, :keyId, :restrictedTo, epoch FROM users WHERE id = :userId`,
)

// A link is invalid once the account has another email address. A welcome link survives the epoch that the first verification starts: it
// was mailed to the email address itself, and the verification may have used the link of another team.
const IS_VALID = `t.hash = $1 AND t.kind = ANY($2::text[]) AND t.used_at IS NULL AND t.expires_at > $3 AND u.id = t.user_id AND u.email = t.email AND (u.epoch = t.epoch OR t.kind = 'welcome')`

interface TokenRow {
  kind: OneTimeTokenKind
  user_id: UserId
  organization_id: TeamId | null
  email: string
  restricted_to_team_id: TeamId | null
  data: Record<string, unknown>
}

const markUsed = namedQuery<TokenRow, [Buffer, OneTimeTokenKind[], Date]>(
  'one_time_tokens.redeem',
  `WITH used AS (UPDATE one_time_tokens t SET used_at = $3 FROM users u WHERE ${IS_VALID} RETURNING t.kind, t.user_id, t.organization_id, t.email, t.restricted_to_team_id, t.data),
     others AS (UPDATE one_time_tokens o SET used_at = $3 FROM used WHERE o.user_id = used.user_id AND o.kind = used.kind AND o.hash <> $1
       AND o.used_at IS NULL AND used.kind <> 'mfa_challenge' AND (used.kind <> 'welcome' OR o.organization_id = used.organization_id))
   SELECT * FROM used`,
)
const findValid = namedQuery<TokenRow, [Buffer, OneTimeTokenKind[], Date]>(
  'one_time_tokens.peek',
  `SELECT t.kind, t.user_id, t.organization_id, t.email, t.restricted_to_team_id, t.data FROM one_time_tokens t, users u WHERE ${IS_VALID}`,
)

/**
 * Issues a token of 256 bits and stores its hash. Earlier links of the kind stay valid, up to five. Runs in the caller's transaction, which
 * has locked the account.
 * @param derived the token to issue, with what `requested-link.ts` needs to derive it again for a resend; by default the token is random
 */
export async function issueOneTimeToken(
  tx: Transaction,
  clock: Clock,
  {
    kind,
    userId,
    teamId = null,
    email,
    restrictedTo = null,
    data = {},
  }: Pick<OneTimeToken, 'kind' | 'userId' | 'email'> & Partial<Pick<OneTimeToken, 'teamId' | 'restrictedTo' | 'data'>>,
  derived?: { token: string; seed: string; keyId: string },
): Promise<string> {
  const token = derived?.token ?? randomToken()
  await tx.run(insertToken, {
    hash: tokenHash(token),
    kind,
    userId,
    teamId,
    email,
    now: clock.now(),
    expiresAt: fromNow(clock, ONE_TIME_TOKENS[kind]),
    data,
    seed: derived?.seed ?? null,
    keyId: derived?.keyId ?? null,
    restrictedTo,
  })
  return token
}

const toOneTimeToken = ({
  kind,
  user_id,
  organization_id,
  email,
  restricted_to_team_id,
  data,
}: TokenRow): OneTimeToken => ({
  kind,
  userId: user_id,
  teamId: organization_id,
  email,
  restrictedTo: restricted_to_team_id,
  data,
})

/** Redeems the token and revokes all other links of its kind. Runs in the caller's transaction. @throws invalid_token */
export async function redeemOneTimeToken(
  tx: Transaction,
  clock: Clock,
  kinds: OneTimeTokenKind[],
  token: string,
): Promise<OneTimeToken> {
  const [row] = await tx.run(markUsed, [tokenHash(token), kinds, clock.now()])
  if (!row) throw rejection('invalid_token')
  return toOneTimeToken(row)
}

/** Reads the token without redeeming it. Runs in the caller's transaction. @throws invalid_token */
export async function peekOneTimeToken(
  tx: Transaction,
  clock: Clock,
  kinds: OneTimeTokenKind[],
  token: string,
): Promise<OneTimeToken> {
  const [row] = await tx.run(findValid, [tokenHash(token), kinds, clock.now()])
  if (!row) throw rejection('invalid_token')
  return toOneTimeToken(row)
}

const revokeOfTeam = namedQuery<never, [UserId, TeamId, Date]>(
  'one_time_tokens.revoke_of_team',
  'UPDATE one_time_tokens SET used_at = $3 WHERE user_id = $1 AND organization_id = $2 AND used_at IS NULL',
)

/** Revokes the user's links to this team. Runs in the caller's transaction. */
export async function revokeTokensOfTeam(tx: Transaction, clock: Clock, userId: UserId, teamId: TeamId): Promise<void> {
  await tx.run(revokeOfTeam, [userId, teamId, clock.now()])
}

const countFailure = namedQuery<{ failures: number }, [Buffer, number, Date]>(
  'one_time_tokens.count_failure',
  `UPDATE one_time_tokens SET failures = failures + 1, used_at = CASE WHEN failures + 1 >= $2 THEN $3::timestamptz END
   WHERE hash = $1 AND used_at IS NULL RETURNING failures`,
)

/** Counts a wrong code for the challenge of the token, and revokes the challenge after `maxFailures`. Runs in the caller's transaction. */
export async function countTokenFailure(
  tx: Transaction,
  clock: Clock,
  token: string,
  maxFailures: number,
): Promise<void> {
  await tx.run(countFailure, [tokenHash(token), maxFailures, clock.now()])
}

const revokePendingChallenges = namedQuery<never, [UserId, Date]>(
  'one_time_tokens.revoke_challenges',
  "UPDATE one_time_tokens SET used_at = $2 WHERE user_id = $1 AND kind = 'mfa_challenge' AND used_at IS NULL",
)

/** Revokes the user's challenges. Runs in the caller's transaction. */
export async function revokeChallenges(tx: Transaction, clock: Clock, userId: UserId): Promise<void> {
  await tx.run(revokePendingChallenges, [userId, clock.now()])
}

/** Revokes requested email changes that the user did not request in the session. Runs in the caller's transaction. */
export async function revokeEmailChangesNotCreatedIn(tx: Transaction, clock: Clock, own: OwnSession): Promise<void> {
  const { userId, kind, usedAt, createdAt } = oneTimeTokens
  await tx
    .update(oneTimeTokens)
    .set({ usedAt: clock.now() })
    .where(and(eq(userId, own.user), eq(kind, 'change_email'), isNull(usedAt), not(createdIn(createdAt, own))))
}

const isOpenChallenge = (clock: Clock, matches: SQL | undefined): SQL | undefined =>
  and(
    eq(oneTimeTokens.kind, 'mfa_challenge'),
    isNull(oneTimeTokens.usedAt),
    gt(oneTimeTokens.expiresAt, clock.now()),
    matches,
  )

/**
 * Returns the users with challenges that match a condition. Runs in the caller's transaction.
 * @param matches a condition on `oneTimeTokens.data`
 */
export async function usersWithChallenge(tx: Transaction, clock: Clock, matches: SQL | undefined): Promise<UserId[]> {
  const { userId } = oneTimeTokens
  const rows = await tx.selectDistinct({ userId }).from(oneTimeTokens).where(isOpenChallenge(clock, matches))
  return rows.map((row) => row.userId)
}

/** Revokes a user's pending sign-ins that match a condition. Runs in the caller's transaction. @returns the number of revoked sign-ins */
export async function revokeMatchingChallenges(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  matches: SQL | undefined,
): Promise<number> {
  const revoked = await tx
    .update(oneTimeTokens)
    .set({ usedAt: clock.now() })
    .where(and(eq(oneTimeTokens.userId, userId), isOpenChallenge(clock, matches)))
    .returning({ hash: oneTimeTokens.hash })
  return revoked.length
}
