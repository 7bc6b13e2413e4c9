import { asc, eq } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { ScopeId } from '../../../platform/ids.js'
import type { Application } from '../../applications/index.js'
import { oidcScopes } from '../tables.js'
import { isStandardScope, STANDARD_SCOPES, standardScopeId } from './standard-scopes.js'

export type Scope = Omit<typeof oidcScopes.$inferSelect, 'applicationId'>

/** The only SQL on scopes. Every query is bound to the application, which the caller has found in its team. */
export const scopeRepository = (tx: Transaction, { id: applicationId, createdAt }: Application) => ({
  /** Returns the standard scopes, stored or not, then the others in order of creation. */
  async list(): Promise<Scope[]> {
    const rows = await tx
      .select()
      .from(oidcScopes)
      .where(eq(oidcScopes.applicationId, applicationId))
      .orderBy(asc(oidcScopes.createdAt), asc(oidcScopes.id))
    const standard = STANDARD_SCOPES.map(
      (scope) =>
        rows.find(({ name }) => name === scope.name) ?? {
          ...scope,
          id: standardScopeId(applicationId, scope.name),
          description: null,
          createdAt,
        },
    )
    return [...standard, ...rows.filter(({ name }) => !isStandardScope(name))]
  },

  /** Inserts or updates the scope. */
  put: ({ id, name, description, isDefault, createdAt }: Scope) =>
    tx
      .insert(oidcScopes)
      .values({ id, applicationId, name, description, isDefault, createdAt })
      .onConflictDoUpdate({ target: oidcScopes.id, set: { name, description, isDefault } }),

  delete: (id: ScopeId) => tx.delete(oidcScopes).where(eq(oidcScopes.id, id)),
})
