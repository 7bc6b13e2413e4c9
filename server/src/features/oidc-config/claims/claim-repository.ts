import { asc, eq } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { ApplicationId, ClaimId } from '../../../platform/ids.js'
import type { TargetToken } from '../client-config.js'
import { oidcClaims } from '../tables.js'

export interface Claim extends Omit<typeof oidcClaims.$inferSelect, 'applicationId' | 'targetTokens'> {
  targetTokens: TargetToken[]
}

/** The only SQL on claims. Every query is bound to the application, which the caller has found in its team. */
export const claimRepository = (tx: Transaction, applicationId: ApplicationId) => ({
  /** Returns the claims in order of creation. */
  async list(): Promise<Claim[]> {
    const rows = await tx
      .select()
      .from(oidcClaims)
      .where(eq(oidcClaims.applicationId, applicationId))
      .orderBy(asc(oidcClaims.createdAt), asc(oidcClaims.id))
    return rows.map((row) => ({ ...row, targetTokens: row.targetTokens as TargetToken[] }))
  },

  insert: (claim: Claim) => tx.insert(oidcClaims).values({ ...claim, applicationId }),

  update: ({ id, name, userAttribute, regexRuleId, targetTokens }: Claim) =>
    tx.update(oidcClaims).set({ name, userAttribute, regexRuleId, targetTokens }).where(eq(oidcClaims.id, id)),

  delete: (id: ClaimId) => tx.delete(oidcClaims).where(eq(oidcClaims.id, id)),
})
