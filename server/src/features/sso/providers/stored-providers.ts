import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { providerRepository, requireProvider } from '../model/repository.js'
import { ssoProviders } from '../tables.js'
import { endProviderSessions, lockSessionUsers } from './end-provider-sessions.js'

/** Returns the team's providers, newest first. */
export const listProviders = ({ db }: Pick<SsoDeps, 'db'>, actor: Actor): Promise<Provider[]> =>
  db.transaction((tx) => providerRepository(tx, actor.teamId).list())

/** @throws sso_provider_not_found */
export const readProvider = ({ db }: Pick<SsoDeps, 'db'>, actor: Actor, id: string): Promise<Provider> =>
  db.transaction(async (tx) => requireProvider(await providerRepository(tx, actor.teamId).find(id)))

/** Deletes the provider and its identities, and ends its sessions. Its users stay members of the team. @throws sso_provider_not_found */
export const deleteProvider = ({ db, clock, audit }: SsoDeps, actor: Actor, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    const repository = providerRepository(tx, actor.teamId)
    const found = await repository.find(id)
    if (found) await lockSessionUsers(tx, [found.id])
    const provider = requireProvider(await repository.lock(id))
    // Before the deletion, which cascades to the records of the provider's sessions.
    const sessionsEnded = await endProviderSessions(tx, clock, provider, 'provider_deleted')
    await repository.delete(id)
    const { name, type, protocol } = provider
    await audit.record(tx, actor, 'sso_provider.deleted', {
      resource: `sso_provider:${provider.id}`,
      metadata: { name, type, protocol, sessionsEnded },
    })
  })

/**
 * Disables every provider of the team, clears its last editor and ends the sessions that it started: it accepts no sign-in until an
 * administrator saves it. Runs in the caller's transaction.
 * @returns the number of providers and of ended sessions
 */
export async function disableProviders(
  tx: Transaction,
  clock: SsoDeps['clock'],
  teamId: TeamId,
): Promise<{ providersDisabled: number; ssoSessionsEnded: number }> {
  const ofTeam = eq(ssoProviders.organizationId, teamId)
  const providers = await tx.select({ id: ssoProviders.id }).from(ssoProviders).where(ofTeam)
  await lockSessionUsers(
    tx,
    providers.map(({ id }) => id),
  )
  const disabled = await tx
    .update(ssoProviders)
    .set({ enabled: false, savedBy: null, version: sql`${ssoProviders.version} + 1` })
    .where(ofTeam)
    .returning({ id: ssoProviders.id })
  let ssoSessionsEnded = 0
  for (const provider of disabled)
    ssoSessionsEnded += await endProviderSessions(tx, clock, provider, 'provider_disabled')
  return { providersDisabled: disabled.length, ssoSessionsEnded }
}
