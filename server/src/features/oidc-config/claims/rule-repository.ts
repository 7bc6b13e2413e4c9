import { asc, eq } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { ApplicationId, RegexRuleId } from '../../../platform/ids.js'
import { oidcRegexRules } from '../tables.js'

export type RegexRule = Omit<typeof oidcRegexRules.$inferSelect, 'applicationId'>

/** The only SQL on rules. The application is bound once, found in its team, so that no query can forget it. */
export const ruleRepository = (tx: Transaction, applicationId: ApplicationId) => ({
  /** In the order in which they were made. */
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
