import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { Audit, AuditSubject } from '../audit/index.js'
import type { Membership } from './repository.js'

export interface RoleDeps {
  audit: Audit
  /**
   * Ends what depends on a temporary password, a provider or a directory whose setter or editor may not do all that the new role allows.
   * Runs in the caller's transaction.
   */
  endTemporaryAbove: (
    tx: Transaction,
    given: { userId: UserId; teamId: TeamId; role: string },
    by: AuditSubject,
  ) => Promise<void>
}

/**
 * Records that a member got another role, and ends the credentials that a member with a lower role caused. Runs in the caller's
 * transaction, which has locked the account.
 */
export async function recordRole(
  tx: Transaction,
  { audit, endTemporaryAbove }: RoleDeps,
  by: AuditSubject,
  { userId, organizationId, role }: Membership,
  to: string,
): Promise<void> {
  await endTemporaryAbove(tx, { userId, teamId: organizationId, role: to }, by)
  await audit.record(tx, by, 'member.role_changed', { resource: `user:${userId}`, metadata: { from: role, to } })
}
