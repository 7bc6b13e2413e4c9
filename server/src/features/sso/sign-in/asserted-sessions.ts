import { AppError } from '../../../platform/app-error.js'
import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionId, SsoProviderId } from '../../../platform/ids.js'
import type { AccountDeps } from '../../authentication/index.js'
import { actingPermissions, requireWithin } from '../model/acting-permissions.js'
import { lockProvider } from '../model/repository.js'
import { requireUnchanged } from './complete-sign-in.js'

// The provider may have been deleted while the sign-in waited for a second factor.
const note = namedQuery<
  never,
  {
    sessionId: SessionId
    providerId: SsoProviderId
    subject: string
    sessionIndex: string | null
    now: Date
    samlName: string | null
  }
>(
  'sso.record_session',
  `INSERT INTO sso_sessions (session_id, provider_id, subject, session_index, created_at, saml_name)
   SELECT :sessionId::uuid, id, :subject::text, :sessionIndex::text, :now::timestamptz, :samlName::jsonb FROM sso_providers WHERE id = :providerId`,
)

/** Records under which names the provider knows a session, so that the provider can end it. */
export const recordAsserted =
  ({ clock }: { clock: Clock }): AccountDeps['recordAsserted'] =>
  async (tx, session, { providerId, subject, sessionIndex, samlName }) => {
    await tx.run(note, {
      sessionId: session,
      providerId,
      subject,
      sessionIndex,
      now: clock.now(),
      samlName: samlName ? JSON.stringify(samlName) : null,
    })
  }

const continueBy = namedQuery<never, [SessionId, SessionId]>(
  'sso.continue_session',
  `INSERT INTO sso_sessions (session_id, provider_id, subject, session_index, saml_name, created_at)
   SELECT $2, provider_id, subject, session_index, saml_name, created_at FROM sso_sessions WHERE session_id = $1`,
)

/** Links a session that continues another one to the same provider, under the same names. Runs in the caller's transaction. */
export const continueProviderSession = async (tx: Transaction, from: SessionId, to: SessionId): Promise<void> => {
  await tx.run(continueBy, [from, to])
}

/**
 * Verifies the provider of a sign-in again after its second factor: it must be unchanged, and its last editor must still have the
 * permissions. A test never gets here. Runs in the caller's transaction.
 */
export const rejectAsserted: AccountDeps['rejectAsserted'] = async (tx, { providerId, providerVersion }, role) => {
  try {
    const provider = requireUnchanged(await lockProvider(tx, providerId), { providerVersion, testRun: null })
    requireWithin(await actingPermissions(tx, provider), role)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error
    throw error
  }
}
