import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { ScopeId } from '../../../platform/ids.js'
import { removeScope } from '../../applications/index.js'
import { changeConfiguration, changedFields, rejectBeyond, requireEntry } from '../change-configuration.js'
import type { OidcConfigDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { type Scope, scopeRepository } from './scope-repository.js'
import { isStandardScope } from './standard-scopes.js'

const MAX_SCOPES = 100

export interface ScopeInput {
  name: string
  description?: string | null
  isDefault?: boolean
}

/** Adds a scope to the application, which it may request from then on. @throws application_not_found, application_not_oidc, scope_exists, limit_reached */
export function createScope(deps: OidcConfigDeps, actor: Actor, appId: string, wanted: ScopeInput): Promise<Scope> {
  return changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    const repository = scopeRepository(tx, application)
    const scopes = await repository.list()
    const { name, description = null, isDefault = false } = wanted
    if (scopes.some((scope) => scope.name === name)) throw rejection('scope_exists')
    rejectBeyond(MAX_SCOPES, scopes.length, 'scopes')
    const scope: Scope = { id: uuidv7(deps.clock), name, description, isDefault, createdAt: deps.clock.now() }
    await repository.put(scope)
    await record('oidc_scope.created', { scope: name, isDefault })
    return scope
  })
}

/** Changes the given fields. A renamed scope is no longer allowed under its old name. @throws application_not_found, application_not_oidc, scope_not_found, scope_exists, standard_scope */
export function updateScope(
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  scopeId: string,
  change: Partial<ScopeInput>,
): Promise<Scope> {
  return changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    const repository = scopeRepository(tx, application)
    const scopes = await repository.list()
    const before = requireEntry(scopes, scopeId, 'scope_not_found')
    const after = { ...before, ...change }
    if (after.name !== before.name) {
      if (isStandardScope(before.name)) throw rejection('standard_scope')
      if (scopes.some((scope) => scope.name === after.name)) throw rejection('scope_exists')
    }
    const changed = changedFields(before, after)
    if (changed.length === 0) return before
    await repository.put(after)
    if (after.name !== before.name) await removeScope(tx, application, before.name)
    await record('oidc_scope.updated', { scope: after.name, changed })
    return after
  })
}

/** Deletes a scope, also from the registration of the application. Issued tokens lose the scope. @throws application_not_found, application_not_oidc, scope_not_found, standard_scope */
export function deleteScope(deps: OidcConfigDeps, actor: Actor, appId: string, scopeId: string): Promise<ScopeId> {
  return changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    const repository = scopeRepository(tx, application)
    const { id, name } = requireEntry(await repository.list(), scopeId, 'scope_not_found')
    if (isStandardScope(name)) throw rejection('standard_scope')
    await repository.delete(id)
    await removeScope(tx, application, name)
    await record('oidc_scope.deleted', { scope: name })
    return id
  })
}
