import { foreignKey, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { ApplicationId, SessionId, UserId } from '../../platform/ids.js'
import { applications } from '../applications/index.js'
import { sessions } from '../sessions/index.js'
import { users } from '../users/index.js'
import type { StoredRequest } from './sign-in/stored-request.js'
import type { StoredLogout } from './sign-out/stored-logout.js'

const applicationId = () =>
  uuid('application_id')
    .$type<ApplicationId>()
    .notNull()
    .references(() => applications.id, { onDelete: 'cascade' })

/** Pending requests of service providers, by the SHA-256 of their ID. */
export const samlRequests = pgTable(
  'saml_requests',
  {
    hash: bytes('hash').primaryKey(),
    applicationId: applicationId(),
    payload: jsonb('payload').$type<StoredRequest>().notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    index('saml_requests_application').on(table.applicationId),
    index('saml_requests_expiry').on(table.expiresAt),
  ],
)

/** The applications that received an assertion for a session, with the first NameID: used by sign-outs. */
export const samlSessions = pgTable(
  'saml_sessions',
  {
    sessionId: uuid('session_id')
      .$type<SessionId>()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    applicationId: applicationId(),
    /** The name of the session at this application only. */
    sessionIndex: text('session_index').notNull(),
    nameId: text('name_id').notNull(),
    nameIdFormat: text('name_id_format').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    /** Last assertion, to the minute; null if there was only the first. */
    lastUsedAt: timestampColumn('last_used_at'),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.applicationId] }),
    index('saml_sessions_name').on(table.applicationId, table.nameId),
  ],
)

/** Later NameIDs of a session at an application, after its requests or its registration changed the format. */
export const samlFurtherNames = pgTable(
  'saml_further_names',
  {
    sessionId: uuid('session_id').$type<SessionId>().notNull(),
    applicationId: uuid('application_id').$type<ApplicationId>().notNull(),
    nameId: text('name_id').notNull(),
    nameIdFormat: text('name_id_format').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.sessionId, table.applicationId, table.nameIdFormat, table.nameId],
      name: 'saml_further_names_pk',
    }),
    foreignKey({
      columns: [table.sessionId, table.applicationId],
      foreignColumns: [samlSessions.sessionId, samlSessions.applicationId],
      name: 'saml_further_names_session',
    }).onDelete('cascade'),
    index('saml_further_names_name').on(table.applicationId, table.nameId),
  ],
)

/** The persistent NameID of a user at one application, which no other application receives. */
export const samlNameIds = pgTable(
  'saml_name_ids',
  {
    applicationId: applicationId(),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    value: text('value').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.applicationId, table.userId] }),
    index('saml_name_ids_user').on(table.userId),
  ],
)

/** LogoutRequests of applications that were handled: each is accepted once. */
export const samlHeardLogouts = pgTable(
  'saml_heard_logouts',
  {
    applicationId: applicationId(),
    /** SHA-256 of the message ID. */
    hash: bytes('hash').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.applicationId, table.hash] }),
    index('saml_heard_logouts_expiry').on(table.expiresAt),
  ],
)

/** Sign-outs in progress or waiting for confirmation, by the SHA-256 of their RelayState or ID. */
export const samlLogouts = pgTable(
  'saml_logouts',
  {
    hash: bytes('hash').primaryKey(),
    /** The requesting application; null if the sign-out started here. */
    applicationId: uuid('application_id')
      .$type<ApplicationId>()
      .references(() => applications.id, { onDelete: 'cascade' }),
    payload: jsonb('payload').$type<StoredLogout>().notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    index('saml_logouts_application').on(table.applicationId),
    index('saml_logouts_expiry').on(table.expiresAt),
  ],
)
