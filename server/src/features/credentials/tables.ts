import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../platform/db/platform-tables.js'
import type { UserId } from '../../platform/ids.js'
import { users } from '../identities/index.js'

export const passwords = pgTable('passwords', {
  userId: uuid('user_id')
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Argon2id in the PHC format, parameters included. */
  hash: text('hash').notNull(),
  /** Given by an administrator: good for seven days, and to be changed at the first sign-in. */
  temporary: boolean('temporary').notNull(),
  setAt: moment('set_at').notNull(),
})
