import type { Actor } from '../../platform/http/actor.js'
import type { ProviderDeps } from './deps.js'
import { endOpened, lockOpeners } from './end-opened.js'
import { rejection } from './errors.js'
import { providerRepository } from './repository.js'

/** Deletes the provider with the identities that it knew, and ends the sessions that it opened; their users stay. @throws sso_provider_not_found */
export const deleteProvider = ({ db, clock, audit }: ProviderDeps, actor: Actor, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    const repository = providerRepository(tx, actor.teamId)
    const found = await repository.find(id)
    if (found) await lockOpeners(tx, [found.id])
    const provider = await repository.lock(id)
    if (!provider) throw rejection('sso_provider_not_found')
    // Before the provider goes, for with it goes what it opened.
    const sessionsEnded = await endOpened(tx, clock, provider, 'provider_deleted')
    await repository.delete(id)
    const { name, type, protocol } = provider
    await audit.record(tx, actor, 'sso_provider.deleted', {
      resource: `sso_provider:${provider.id}`,
      metadata: { name, type, protocol, sessionsEnded },
    })
  })
