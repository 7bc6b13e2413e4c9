import type { Actor } from '../../platform/http/actor.js'
import type { ProviderDeps } from './deps.js'
import { refusal } from './errors.js'
import { providerRepository } from './repository.js'

/** Deletes the provider with the identities that it knew; their users stay, and so do the sessions that it opened. @throws sso_provider_not_found */
export const deleteProvider = ({ db, audit }: ProviderDeps, actor: Actor, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    const deleted = await providerRepository(tx, actor.teamId).delete(id)
    if (!deleted) throw refusal('sso_provider_not_found')
    const { name, type, protocol } = deleted
    await audit.record(tx, actor, 'sso_provider.deleted', {
      resource: `sso_provider:${deleted.id}`,
      metadata: { name, type, protocol },
    })
  })
