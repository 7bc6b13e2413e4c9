import { boolean, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../platform/db/platform-tables.js'
import type { MembershipId, TeamId, UserId } from '../../platform/ids.js'
import { users } from '../identities/index.js'
import { organizations } from '../organizations/index.js'

export const memberships = pgTable(
  'memberships',
  {
    id: uuid('id').$type<MembershipId>().primaryKey(),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    role: text('role').notNull(),
    status: text('status').$type<'pending' | 'active' | 'suspended'>().notNull(),
    /** Whether the user entered it (or it made the account): a team that merely added an address weighs nothing elsewhere. */
    counts: boolean('counts').notNull(),
    /** What the team writes about the person; shown inside it, before the person's own profile. */
    firstName: text('first_name'),
    lastName: text('last_name'),
    department: text('department'),
    title: text('title'),
    phone: text('phone'),
    locale: text('locale'),
    externalId: text('external_id'),
    lastUsedAt: moment('last_used_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('memberships_user_organization').on(table.userId, table.organizationId),
    index('memberships_organization').on(table.organizationId, table.lastUsedAt),
  ],
)
