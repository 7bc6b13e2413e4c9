import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { TeamId, UserId } from '../../platform/ids.js'

/** One row, made at the first start. */
export const instanceSettings = pgTable('instance_settings', {
  id: text('id').$type<'singleton'>().primaryKey(),
  name: text('name').notNull(),
  logoUrl: text('logo_url'),
  primaryColor: text('primary_color').notNull(),
  allowedDomains: text('allowed_domains').array().notNull(),
  mfaRequired: boolean('mfa_required').notNull(),
  /** When it was switched on: the grace of accounts that existed then begins here. */
  mfaRequiredSince: timestampColumn('mfa_required_since'),
  mfaGracePeriodDays: integer('mfa_grace_period_days').notNull(),
  /** Days after the sign-in at which a session ends at the latest. */
  sessionMaxLifetimeDays: integer('session_max_lifetime_days').notNull().default(90),
  customLoginConfig: jsonb('custom_login_config').$type<Record<string, unknown>>(),
  /** Set by the first onboarding, for ever: the team whose owners and super-admins administer the instance. */
  instanceTeamId: uuid('instance_team_id').$type<TeamId>(),
  onboardedAt: timestampColumn('onboarded_at'),
  /** The first account ever registered: off loopback, or with SETUP_SECRET, the only administrator before the onboarding. */
  firstUserId: uuid('first_user_id').$type<UserId>(),
  createdAt: timestampColumn('created_at').notNull(),
  updatedAt: timestampColumn('updated_at').notNull(),
})
