import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../platform/db/platform-tables.js'
import type { TeamId } from '../../platform/ids.js'

export const organizations = pgTable(
  'organizations',
  {
    id: uuid('id').$type<TeamId>().primaryKey(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    domain: text('domain'),
    plan: text('plan').$type<'FREE' | 'PRO' | 'ENTERPRISE'>().notNull(),
    status: text('status').$type<'ACTIVE' | 'SUSPENDED'>().notNull(),
    logoUrl: text('logo_url'),
    primaryColor: text('primary_color'),
    allowedDomains: text('allowed_domains').array().notNull(),
    maxMembers: integer('max_members').notNull(),
    maxApplications: integer('max_applications').notNull(),
    /** Counts the changes of the team's policies: what a node has compiled of them is used only while this is the same. */
    policyVersion: integer('policy_version').notNull().default(1),
    settings: jsonb('settings').$type<Record<string, string>>().notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('organizations_slug').on(table.slug),
    index('organizations_allowed_domains').using('gin', table.allowedDomains),
  ],
)
