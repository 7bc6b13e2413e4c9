import { foreignKey, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { ApplicationId, SessionId, UserId } from '../../platform/ids.js'
import { applications } from '../applications/index.js'
import { sessions } from '../sessions/index.js'
import { users } from '../users/index.js'
import type { StoredLogout } from './stored-logout.js'
import type { StoredRequest } from './stored-request.js'

const applicationId = () =>
  uuid('application_id')
    .$type<ApplicationId>()
    .notNull()
    .references(() => applications.id, { onDelete: 'cascade' })

/** Requests of service providers that wait for a person, each by the SHA-256 of its id. */
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

/** To which applications a session was told of, and by which name first: what a sign-out ends and tells. */
export const samlSessions = pgTable(
  'saml_sessions',
  {
    sessionId: uuid('session_id')
      .$type<SessionId>()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    applicationId: applicationId(),
    /** What the session is called towards this application alone. */
    sessionIndex: text('session_index').notNull(),
    nameId: text('name_id').notNull(),
    nameIdFormat: text('name_id_format').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    /** When the application was told last, to the minute; null = at the first time alone. */
    lastUsedAt: timestampColumn('last_used_at'),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.applicationId] }),
    index('saml_sessions_name').on(table.applicationId, table.nameId),
  ],
)

/** By which other names an application was told of a session since: its requests, or its registration, had come to want another format. */
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

/** The lasting name of a user towards one application, which says nothing to any other. */
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

/** Requests of applications to sign out that were heard: each counts once. */
export const samlHeardLogouts = pgTable(
  'saml_heard_logouts',
  {
    applicationId: applicationId(),
    /** SHA-256 of its id. */
    hash: bytes('hash').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.applicationId, table.hash] }),
    index('saml_heard_logouts_expiry').on(table.expiresAt),
  ],
)

/** Sign-outs on their way from one application to the next, or that wait for their user, each by the SHA-256 of its RelayState or its id. */
export const samlLogouts = pgTable(
  'saml_logouts',
  {
    hash: bytes('hash').primaryKey(),
    /** The one that asked; null where the sign-out began here. */
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
