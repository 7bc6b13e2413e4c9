import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import { applications } from '../../applications/index.js'
import { oidcTokenPolicies, signingKeySets } from '../tables.js'
import { DEFAULT_TOKEN_POLICY, type TokenPolicy } from './token-policy.js'

export type StoredPolicy = Omit<typeof oidcTokenPolicies.$inferSelect, 'applicationId'>

const { accessTokenLifetime: access, idTokenLifetime: id } = oidcTokenPolicies

/** Returns the longest lifetime of a signed token in seconds. Refresh tokens are not signed. */
export const longestLifetime = ({ accessTokenLifetime, idTokenLifetime }: TokenPolicy): number =>
  Math.max(accessTokenLifetime, idTokenLifetime)

/** The only SQL on token policies. */
export const policyRepository = (tx: Transaction) => ({
  /** Returns undefined if the defaults apply. */
  async find(applicationId: ApplicationId): Promise<StoredPolicy | undefined> {
    const [row] = await tx.select().from(oidcTokenPolicies).where(eq(oidcTokenPolicies.applicationId, applicationId))
    return row
  },

  put: (applicationId: ApplicationId, policy: StoredPolicy) =>
    tx
      .insert(oidcTokenPolicies)
      .values({ ...policy, applicationId })
      .onConflictDoUpdate({ target: oidcTokenPolicies.applicationId, set: policy }),

  /** Prevents a key rotation until the transaction ends, because the rotation depends on the lifetimes. */
  lockKeys: (teamId: TeamId) =>
    tx
      .select({ version: signingKeySets.version })
      .from(signingKeySets)
      .where(eq(signingKeySets.organizationId, teamId))
      .for('share'),

  /** Returns the longest token lifetime of the team's applications in seconds, and the expiry of tokens with an earlier, longer one. */
  async longestOfTeam(teamId: TeamId): Promise<{ seconds: number; tokensUntil: Date | null }> {
    const [row] = await tx
      .select({
        seconds: sql<number | null>`max(greatest(${access}, ${id}))`,
        tokensUntil: sql<string | null>`max(${oidcTokenPolicies.tokensUntil})`,
      })
      .from(oidcTokenPolicies)
      .innerJoin(applications, eq(applications.id, oidcTokenPolicies.applicationId))
      .where(eq(applications.organizationId, teamId))
    return {
      seconds: Math.max(row?.seconds ?? 0, longestLifetime(DEFAULT_TOKEN_POLICY)),
      tokensUntil: row?.tokensUntil ? new Date(row.tokensUntil) : null,
    }
  },
})
