import type { Actor } from '../../../platform/http/actor.js'
import { rejection } from '../errors.js'
import type { ProviderDeps } from '../model/deps.js'
import { providerRepository } from '../model/repository.js'
import { endProviderSessions, lockSessionUsers } from './end-provider-sessions.js'

/** Deletes the provider and its identities, and ends its sessions. Its users stay members of the team. @throws sso_provider_not_found */
export const deleteProvider = ({ db, clock, audit }: ProviderDeps, actor: Actor, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    const repository = providerRepository(tx, actor.teamId)
    const found = await repository.find(id)
    if (found) await lockSessionUsers(tx, [found.id])
    const provider = await repository.lock(id)
    if (!provider) throw rejection('sso_provider_not_found')
    // Before the deletion, which cascades to the records of the provider's sessions.
    const sessionsEnded = await endProviderSessions(tx, clock, provider, 'provider_deleted')
    await repository.delete(id)
    const { name, type, protocol } = provider
    await audit.record(tx, actor, 'sso_provider.deleted', {
      resource: `sso_provider:${provider.id}`,
      metadata: { name, type, protocol, sessionsEnded },
    })
  })
