import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { ApplicationId, SamlKeyId, TeamId } from '../../platform/ids.js'
import { applications } from '../applications/index.js'
import { organizations } from '../teams/index.js'

/** RSA keys with self-signed certificates of teams and applications. */
export const samlKeys = pgTable(
  'saml_keys',
  {
    id: uuid('id').$type<SamlKeyId>().primaryKey(),
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Null for a key of the team itself. */
    applicationId: uuid('application_id')
      .$type<ApplicationId>()
      .references(() => applications.id, { onDelete: 'cascade' }),
    /** `next` is published but does not sign yet; `active` signs; `retired` is published and decrypts until it expires. */
    state: text('state').$type<'next' | 'active' | 'retired'>().notNull(),
    /** PEM. */
    certificate: text('certificate').notNull(),
    /** PKCS #8, encrypted. */
    sealedPrivateKey: text('sealed_private_key').notNull(),
    notAfter: timestampColumn('not_after').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    /** When a retired key expires. */
    endsAt: timestampColumn('ends_at'),
  },
  (table) => [
    index('saml_keys_organization').on(table.organizationId),
    index('saml_keys_application').on(table.applicationId),
    index('saml_keys_end').on(table.endsAt),
    // At most one key signs and one is next: of concurrent inserts, one succeeds.
    uniqueIndex('saml_keys_team_state')
      .on(table.organizationId, table.state)
      .where(sql`application_id IS NULL AND state <> 'retired'`),
    uniqueIndex('saml_keys_application_state').on(table.applicationId, table.state).where(sql`state <> 'retired'`),
  ],
)
