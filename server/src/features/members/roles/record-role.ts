import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import type { Audit, AuditSubject } from '../../audit/index.js'
import type { Membership } from '../find-member.js'

export interface RoleDeps {
  audit: Audit
  /**
   * Revokes the credentials that depend on a temporary password, provider or directory whose setter or editor lacks a permission of the new
   * role. Runs in the caller's transaction.
   */
  endTemporaryAbove: (
    tx: Transaction,
    given: { userId: UserId; teamId: TeamId; role: string },
    by: AuditSubject,
  ) => Promise<void>
  endTemporaryOf: EndTemporaryOf
  /** Notifies the owners of automation that acts with fewer permissions after a role change. Runs in the caller's transaction. */
  notifyOfLostPermissions: (
    tx: Transaction,
    change: { userId: UserId; teamId: TeamId; from: string; to: string },
  ) => Promise<void>
}

/**
 * Revokes the temporary passwords that a member set for users of the team with a permission that the member's role lacks, and the
 * credentials that depend on them. They are rejected as soon as the caller's transaction commits the role, and a job deletes them. Runs at
 * the end of the caller's transaction, which has locked the member's account.
 * @param setter `role`: the remaining one; without it, only passwords of plain members stay
 */
export type EndTemporaryOf = (
  tx: Transaction,
  setter: { userId: UserId; teamId: TeamId; role?: string },
  by: AuditSubject,
) => void

/**
 * Records a role change, revokes the credentials that a member with a lower role caused (those of this member, and those of members whose
 * temporary passwords this one set), and notifies the owners of automation that loses permissions. Runs in the caller's transaction, which
 * has locked the account.
 */
export async function recordRole(
  tx: Transaction,
  { audit, endTemporaryAbove, endTemporaryOf, notifyOfLostPermissions }: RoleDeps,
  by: AuditSubject,
  { userId, organizationId, role }: Membership,
  to: string,
): Promise<void> {
  const given = { userId, teamId: organizationId, role: to }
  await endTemporaryAbove(tx, given, by)
  endTemporaryOf(tx, given, by)
  await notifyOfLostPermissions(tx, { userId, teamId: organizationId, from: role, to })
  await audit.record(tx, by, 'member.role_changed', { resource: `user:${userId}`, metadata: { from: role, to } })
}
