import { boolean, integer, pgTable, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { PolicyId } from '../../platform/ids.js'
import { teamColumn } from '../teams/index.js'

/** A team's password policy; created on first access. */
export const passwordPolicies = pgTable('password_policies', {
  teamId: teamColumn().primaryKey(),
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
  /** Minutes in which failures are counted, and for which the account is locked. */
  lockoutDuration: integer('lockout_minutes').notNull(),
  createdAt: timestampColumn('created_at').notNull(),
  updatedAt: timestampColumn('updated_at').notNull(),
})
