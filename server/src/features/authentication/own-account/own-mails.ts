import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { UserId } from '../../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../../platform/module.js'

// Mails to an unverified address may have reached another person, and those from before the account its earlier owner.
const mails = namedQuery<Record<string, unknown>, [UserId, number]>(
  'accounts.own_mails',
  `SELECT e.kind, e.created_at AS "createdAt", e.sent_at AS "sentAt" FROM users u JOIN mails e ON e.recipient = u.email AND e.created_at >= u.created_at
   WHERE u.id = $1 AND u.email_verified_at IS NOT NULL ORDER BY e.created_at DESC, e.id LIMIT $2`,
)

/** The stored mails to the email address of the account. */
export const mailData = (db: Database): Record<string, AccountData> => ({
  mails: ({ userId }) => db.run(mails, [userId, MAX_EXPORTED]),
})
