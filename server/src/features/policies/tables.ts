import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { PolicyId, TeamId } from '../../platform/ids.js'
import type { Rule } from '../../protocols/policy/index.js'
import { organizations } from '../teams/index.js'

const teamId = () =>
  uuid('organization_id')
    .$type<TeamId>()
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' })

export const policies = pgTable(
  'policies',
  {
    id: uuid('id').$type<PolicyId>().primaryKey(),
    organizationId: teamId(),
    name: text('name').notNull(),
    description: text('description'),
    type: text('type').$type<'ACCESS' | 'SIGN_ON' | 'MFA' | 'PASSWORD'>().notNull(),
    effect: text('effect').$type<'ALLOW' | 'DENY'>().notNull(),
    /** A pattern: `*` matches any sequence of characters including separators. */
    resource: text('resource').notNull(),
    actions: text('actions').array().notNull(),
    rules: jsonb('rules').$type<Rule[]>().notNull(),
    conditions: jsonb('conditions').$type<Record<string, unknown>>().notNull(),
    priority: integer('priority').notNull(),
    enabled: boolean('enabled').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    index('policies_order').on(table.organizationId, table.priority, table.createdAt),
    index('policies_at_sign_in').on(table.organizationId).where(sql`type IN ('SIGN_ON', 'MFA') AND enabled`),
  ],
)

/** A team's password policy; created on first access. */
export const passwordPolicies = pgTable('password_policies', {
  organizationId: teamId().primaryKey(),
  id: uuid('id').$type<PolicyId>().notNull(),
  minLength: integer('min_length').notNull(),
  requireUppercase: boolean('require_uppercase').notNull(),
  requireLowercase: boolean('require_lowercase').notNull(),
  requireNumbers: boolean('require_numbers').notNull(),
  requireSymbols: boolean('require_symbols').notNull(),
  /** 0 = never expires. */
  maxAgeDays: integer('max_age_days').notNull(),
  /** Number of passwords, including the current one, that cannot be reused. */
  historyCount: integer('history_count').notNull(),
  /** Failures before the account is locked; 0 = never. */
  lockoutThreshold: integer('lockout_threshold').notNull(),
  lockoutMinutes: integer('lockout_minutes').notNull(),
  createdAt: timestampColumn('created_at').notNull(),
  updatedAt: timestampColumn('updated_at').notNull(),
})
