import { sql } from 'drizzle-orm'
import { foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { GroupId, TeamId, UserId } from '../../platform/ids.js'
import { memberships } from '../members/index.js'
import { teamColumn } from '../teams/index.js'

export const groups = pgTable(
  'groups',
  {
    id: uuid('id').$type<GroupId>().primaryKey(),
    organizationId: teamColumn(),
    name: text('name').notNull(),
    description: text('description'),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('groups_organization_name').on(table.organizationId, table.name),
    // Directories search for names case-insensitively.
    index('groups_folded_name').on(table.organizationId, sql`lower(name) COLLATE "C"`),
    index('groups_newest').on(table.organizationId, table.createdAt, table.id),
  ],
)

/** The members of groups. The foreign key removes members who leave the team. */
export const groupMembers = pgTable(
  'group_members',
  {
    groupId: uuid('group_id')
      .$type<GroupId>()
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    userId: uuid('user_id').$type<UserId>().notNull(),
    organizationId: uuid('organization_id').$type<TeamId>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.userId] }),
    foreignKey({
      name: 'group_members_membership',
      columns: [table.userId, table.organizationId],
      foreignColumns: [memberships.userId, memberships.organizationId],
    }).onDelete('cascade'),
    index('group_members_user').on(table.userId, table.organizationId),
  ],
)
