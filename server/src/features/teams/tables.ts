import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { TeamId, UserId } from '../../platform/ids.js'

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
    /** Days after sign-in at which sessions end in the team; null: the instance's value. */
    sessionMaxLifetimeDays: integer('session_max_lifetime_days'),
    /** Incremented by each change of the team's policies; invalidates what nodes compiled of them. */
    policyVersion: integer('policy_version').notNull().default(1),
    settings: jsonb('settings').$type<Record<string, string>>().notNull(),
    /**
     * The account that created the team; null if it is unknown, or if another user may have created it with that account. Without a
     * foreign key: the account may be deleted.
     */
    createdBy: uuid('created_by').$type<UserId>(),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('organizations_slug').on(table.slug),
    index('organizations_allowed_domains').using('gin', table.allowedDomains),
  ],
)

/** The column of a table whose rows belong to a team and are deleted with it. */
export const teamColumn = () =>
  uuid('organization_id')
    .$type<TeamId>()
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' })

/** Released slugs. No other team can use one for twelve months, because links and bookmarks would lead to that team. */
export const releasedSlugs = pgTable(
  'released_slugs',
  {
    slug: text('slug').primaryKey(),
    /** The team that released it. Without a foreign key: the team may be deleted. */
    organizationId: uuid('organization_id').$type<TeamId>().notNull(),
    releasedAt: timestampColumn('released_at').notNull(),
  },
  (table) => [index('released_slugs_released').on(table.releasedAt)],
)

/**
 * The email domains of teams. At most one team at a time has verified a domain: it is the home team of the accounts with an address in the
 * domain.
 */
export const teamDomains = pgTable(
  'team_domains',
  {
    organizationId: teamColumn(),
    domain: text('domain').notNull(),
    token: text('token').notNull(),
    verifiedAt: timestampColumn('verified_at'),
    checkedAt: timestampColumn('checked_at'),
    /** Next check of a verified domain. */
    dueAt: timestampColumn('due_at'),
    /** Consecutive daily checks that found no record. */
    failures: integer('failures').notNull().default(0),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.domain] }),
    uniqueIndex('team_domains_proven').on(table.domain).where(sql`verified_at IS NOT NULL`),
    index('team_domains_due').on(table.dueAt).where(sql`verified_at IS NOT NULL`),
  ],
)
