import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../platform/db/platform-tables.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { users } from '../identities/index.js'

export const passwords = pgTable('passwords', {
  userId: uuid('user_id')
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Argon2id in the PHC format, parameters included. */
  hash: text('hash').notNull(),
  /** The team whose administrator gave it: good for seven days, for that team alone, and to be changed at the first sign-in. */
  givenByTeamId: uuid('given_by_team_id').$type<TeamId>(),
  setAt: moment('set_at').notNull(),
})
