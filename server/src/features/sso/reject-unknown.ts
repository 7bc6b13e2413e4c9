import { eq } from 'drizzle-orm'
import type { AppError } from '../../platform/app-error.js'
import type { Transaction } from '../../platform/db/database.js'
import { parseId, type SsoProviderId, type TeamId } from '../../platform/ids.js'
import { countSourceFailure, logOfOutsider, type SignInRequest } from '../authentication/index.js'
import { organizations } from '../teams/index.js'
import { FAILURES } from './complete-sign-in.js'
import type { SsoDeps } from './deps.js'
import { rejection } from './errors.js'
import { findAnyProvider } from './repository.js'

/** What the address names to which a browser came; either may be anybody's text. */
export type Addressed = { orgId: string } | { providerId: string }

/**
 * Refuses somebody of whom nothing is known but the address that they came to. The log of its team has the entry, as long as strangers
 * make few; no recorder has it.
 */
export async function rejectUnknown(
  deps: Pick<SsoDeps, 'db' | 'audit' | 'accounts'>,
  { origin }: Pick<SignInRequest, 'origin'>,
  addressed: Addressed,
  rejected: AppError = rejection('sso_state_invalid'),
): Promise<{ rejected: AppError }> {
  await deps.db.transaction(async (tx) => {
    await countSourceFailure(tx, deps.accounts, FAILURES, origin)
    const { team, provider } = await find(tx, addressed)
    const teamId = team && (await logOfOutsider(tx, deps.accounts, team))
    await deps.audit.record(tx, { userId: null, teamId: teamId ?? null, origin }, 'user.login', {
      result: 'FAILURE',
      ...(provider && { resource: `sso_provider:${provider}` }),
      metadata: { method: 'sso', reason: rejected.code, ...(provider && { provider }) },
    })
  })
  return { rejected: Object.assign(rejected, { recorded: true }) }
}

async function find(
  tx: Transaction,
  addressed: Addressed,
): Promise<{ team?: TeamId | undefined; provider?: SsoProviderId | undefined }> {
  if ('providerId' in addressed) {
    const found = await findAnyProvider(tx, addressed.providerId)
    return { team: found?.organizationId, provider: found?.id }
  }
  const known = parseId<TeamId>(addressed.orgId)
  const [team] = known
    ? await tx.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, known))
    : []
  return { team: team?.id }
}
