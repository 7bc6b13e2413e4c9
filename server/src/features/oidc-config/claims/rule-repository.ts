import { asc, eq } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { ApplicationId, RegexRuleId } from '../../../platform/ids.js'
import { oidcRegexRules } from '../tables.js'

export type RegexRule = Omit<typeof oidcRegexRules.$inferSelect, 'applicationId'>

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
