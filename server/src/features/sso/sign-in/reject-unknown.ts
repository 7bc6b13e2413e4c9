import { eq } from 'drizzle-orm'
import type { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import { parseId, type SsoProviderId, type TeamId } from '../../../platform/ids.js'
import { type Check, rejectedSignature } from '../../../protocols/saml/index.js'
import { countSourceFailure, logForUnverified, type SignInRequest } from '../../authentication/index.js'
import { organizations } from '../../teams/index.js'
import { rejection } from '../errors.js'
import type { SsoDeps } from '../model/deps.js'
import { findAnyProvider } from '../model/repository.js'
import { FAILURE_KIND } from './complete-sign-in.js'

/** The parameter of the URL that the browser requested. It may be unknown or malformed. */
export type Addressed = { orgId: string } | { providerId: string }

/**
 * Rejects a request that matches no sign-in. The audit log of the team gets a limited number of such entries; the sign-in log of the
 * provider gets none.
 * @param checks of the message, if it was verified
 */
export async function rejectUnknown(
  deps: Pick<SsoDeps, 'db' | 'audit' | 'accounts'>,
  { origin }: Pick<SignInRequest, 'origin'>,
  addressed: Addressed,
  rejected: AppError = rejection('sso_state_invalid'),
  checks: readonly Check[] = [],
): Promise<{ rejected: AppError }> {
  const signature = rejectedSignature(checks)
  await deps.db.transaction(async (tx) => {
    await countSourceFailure(tx, deps.accounts, FAILURE_KIND, origin)
    const { team, provider } = await find(tx, addressed)
    const teamId = team && (await logForUnverified(tx, deps.accounts, team))
    await deps.audit.record(tx, { userId: null, teamId: teamId ?? null, origin }, 'user.login', {
      result: 'FAILURE',
      ...(provider && { resource: `sso_provider:${provider}` }),
      metadata: {
        method: 'sso',
        reason: rejected.code,
        ...(provider && { provider }),
        ...(signature && { signature }),
      },
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
