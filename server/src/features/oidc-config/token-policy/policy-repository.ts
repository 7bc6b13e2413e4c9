import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import { applications } from '../../applications/index.js'
import { oidcTokenPolicies, signingKeySets } from '../tables.js'
import { DEFAULT_TOKEN_POLICY, type TokenPolicy } from './token-policy.js'

export type StoredPolicy = Omit<typeof oidcTokenPolicies.$inferSelect, 'applicationId'>

const { accessTokenLifetime: access, idTokenLifetime: id } = oidcTokenPolicies

/** Seconds for which the longest-lived signed token of a policy lives. Refresh tokens are not signed. */
export const longestLife = ({ accessTokenLifetime, idTokenLifetime }: TokenPolicy): number =>
  Math.max(accessTokenLifetime, idTokenLifetime)

/** The only SQL on lifetimes. */
export const policyRepository = (tx: Transaction) => ({
  /** Undefined while the defaults hold. */
  async find(applicationId: ApplicationId): Promise<StoredPolicy | undefined> {
    const [row] = await tx.select().from(oidcTokenPolicies).where(eq(oidcTokenPolicies.applicationId, applicationId))
    return row
  },

  put: (applicationId: ApplicationId, policy: StoredPolicy) =>
    tx
      .insert(oidcTokenPolicies)
      .values({ ...policy, applicationId })
      .onConflictDoUpdate({ target: oidcTokenPolicies.applicationId, set: policy }),

  /** Keeps the keys of the team from being exchanged until the transaction ends: whoever does asks how long tokens live. */
  keepKeys: (teamId: TeamId) =>
    tx
      .select({ version: signingKeySets.version })
      .from(signingKeySets)
      .where(eq(signingKeySets.organizationId, teamId))
      .for('share'),

  /** The longest life of a token of any application of the team, in seconds, and when the last of a longer one ends. */
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
      seconds: Math.max(row?.seconds ?? 0, longestLife(DEFAULT_TOKEN_POLICY)),
      tokensUntil: row?.tokensUntil ? new Date(row.tokensUntil) : null,
    }
  },
})
