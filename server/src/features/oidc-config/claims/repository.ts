import { asc, eq } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { ApplicationId, ClaimId, RegexRuleId } from '../../../platform/ids.js'
import type { TargetToken } from '../client-config.js'
import { oidcClaims, oidcRegexRules } from '../tables.js'

export interface Claim extends Omit<typeof oidcClaims.$inferSelect, 'applicationId' | 'targetTokens'> {
  targetTokens: TargetToken[]
}
export type RegexRule = Omit<typeof oidcRegexRules.$inferSelect, 'applicationId'>

/** The only SQL on claims. Every query is bound to the application, which the caller has found in its team. */
export const claimRepository = (tx: Transaction, applicationId: ApplicationId) => ({
  /** Returns the claims in order of creation. */
  async list(): Promise<Claim[]> {
    const rows = await tx
      .select()
      .from(oidcClaims)
      .where(eq(oidcClaims.applicationId, applicationId))
      .orderBy(asc(oidcClaims.createdAt), asc(oidcClaims.id))
    return rows as Claim[]
  },

  insert: (claim: Claim) => tx.insert(oidcClaims).values({ ...claim, applicationId }),

  update: ({ id, name, userAttribute, regexRuleId, targetTokens }: Claim) =>
    tx.update(oidcClaims).set({ name, userAttribute, regexRuleId, targetTokens }).where(eq(oidcClaims.id, id)),

  delete: (id: ClaimId) => tx.delete(oidcClaims).where(eq(oidcClaims.id, id)),
})

/** The only SQL on rules. Every query is bound to the application, which the caller has found in its team. */
export const ruleRepository = (tx: Transaction, applicationId: ApplicationId) => ({
  /** Returns the rules in order of creation. */
  list: (): Promise<RegexRule[]> =>
    tx
      .select()
      .from(oidcRegexRules)
      .where(eq(oidcRegexRules.applicationId, applicationId))
      .orderBy(asc(oidcRegexRules.createdAt), asc(oidcRegexRules.id)),

  insert: (rule: RegexRule) => tx.insert(oidcRegexRules).values({ ...rule, applicationId }),

  update: ({ id, name, pattern, replacement, flags }: RegexRule) =>
    tx.update(oidcRegexRules).set({ name, pattern, replacement, flags }).where(eq(oidcRegexRules.id, id)),

  delete: (id: RegexRuleId) => tx.delete(oidcRegexRules).where(eq(oidcRegexRules.id, id)),
})
