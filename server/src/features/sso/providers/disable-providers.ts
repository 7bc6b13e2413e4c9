import { eq, sql } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId } from '../../../platform/ids.js'
import { ssoProviders } from '../tables.js'
import { endProviderSessions, lockSessionUsers } from './end-provider-sessions.js'

/**
 * Disables every provider of the team, clears its last editor and ends the sessions that it started: it accepts no sign-in until an
 * administrator saves it. Runs in the caller's transaction.
 * @returns the number of providers and of ended sessions
 */
export async function disableProviders(
  tx: Transaction,
  clock: Clock,
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
