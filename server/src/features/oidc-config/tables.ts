import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../platform/db/platform-tables.js'
import type { ApplicationId, SigningKeyId, TeamId } from '../../platform/ids.js'
import { applications } from '../applications/index.js'
import { organizations } from '../organizations/index.js'

const teamId = () =>
  uuid('organization_id')
    .$type<TeamId>()
    .references(() => organizations.id, { onDelete: 'cascade' })

/** One row for each team that has keys; `version` counts the changes of any of them, and nodes compare it before they use what they hold. */
export const signingKeySets = pgTable('signing_key_sets', {
  organizationId: teamId().primaryKey(),
  version: integer('version').notNull(),
})

/** Keys that sign ID and access tokens: of a team, or of one of its applications. */
export const signingKeys = pgTable(
  'signing_keys',
  {
    id: uuid('id').$type<SigningKeyId>().primaryKey(),
    organizationId: teamId().notNull(),
    /** Null for a key of the team itself. */
    applicationId: uuid('application_id')
      .$type<ApplicationId>()
      .references(() => applications.id, { onDelete: 'cascade' }),
    kid: text('kid').notNull(),
    algorithm: text('algorithm').notNull(),
    publicJwk: jsonb('public_jwk').$type<Record<string, string>>().notNull(),
    /** PKCS #8, sealed. */
    sealedPrivateKey: text('sealed_private_key').notNull(),
    isDefault: boolean('is_default').notNull(),
    /** Signs access tokens in the place of the default key. */
    useForAccessTokens: boolean('use_for_access_tokens').notNull(),
    createdAt: moment('created_at').notNull(),
    /** When it stopped signing; it stays published until its last token has ended. */
    retiredAt: moment('retired_at'),
  },
  (table) => [
    uniqueIndex('signing_keys_team_kid').on(table.organizationId, table.kid),
    index('signing_keys_application').on(table.applicationId),
    uniqueIndex('signing_keys_team_default').on(table.organizationId).where(sql`application_id IS NULL AND is_default`),
  ],
)
