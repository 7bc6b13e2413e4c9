import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { TeamId, UserId } from '../../platform/ids.js'

/** A single row, inserted at the first start. */
export const instanceSettings = pgTable('instance_settings', {
  id: text('id').$type<'singleton'>().primaryKey(),
  name: text('name').notNull(),
  logoUrl: text('logo_url'),
  primaryColor: text('primary_color').notNull(),
  allowedDomains: text('allowed_domains').array().notNull(),
  mfaRequired: boolean('mfa_required').notNull(),
  /** When it was turned on: the grace period of earlier accounts begins then. */
  mfaRequiredSince: timestampColumn('mfa_required_since'),
  mfaGracePeriodDays: integer('mfa_grace_period_days').notNull(),
  /** Maximum session lifetime, in days after sign-in. */
  sessionMaxLifetimeDays: integer('session_max_lifetime_days').notNull().default(90),
  customLoginConfig: jsonb('custom_login_config').$type<Record<string, unknown>>(),
  /** The team whose owners and super-admins administer the instance; set permanently by the onboarding. */
  instanceTeamId: uuid('instance_team_id').$type<TeamId>(),
  onboardedAt: timestampColumn('onboarded_at'),
  /** The first registered account. Outside of loopback, or with SETUP_SECRET, it is the only administrator before the onboarding. */
  firstUserId: uuid('first_user_id').$type<UserId>(),
  /** SHA-256 of the token of the setup link that the last start printed, and its expiry; null without a valid link. */
  setupTokenHash: bytes('setup_token_hash'),
  setupTokenExpiresAt: timestampColumn('setup_token_expires_at'),
  createdAt: timestampColumn('created_at').notNull(),
  updatedAt: timestampColumn('updated_at').notNull(),
})
