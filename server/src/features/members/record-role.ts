import type { Transaction } from '../../platform/db/database.js'
import type { Audit, AuditSubject } from '../audit/index.js'
import type { Membership } from './repository.js'

/** A step: the one entry that says who got which role, whichever door changed it. */
export const recordRole = (
  tx: Transaction,
  audit: Audit,
  by: AuditSubject,
  { userId, role }: Membership,
  to: string,
): Promise<void> =>
  audit.record(tx, by, 'member.role_changed', { resource: `user:${userId}`, metadata: { from: role, to } })
