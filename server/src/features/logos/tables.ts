import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'

/** Why nothing was stored. */
export type LogoFailure = 'no_answer' | 'bad_status' | 'too_many_redirects' | 'too_large' | 'not_a_picture'

/** The pictures that were fetched, or are to be. */
export const logos = pgTable('logos', {
  /** ID of the team or application; `INSTANCE_LOGO` for the logo of the instance. */
  ownerId: uuid('owner_id').primaryKey(),
  /** From where it was fetched: another one is fetched once the owner has another logo URL. */
  url: text('url').notNull(),
  mediaType: text('media_type'),
  /** Null until it was fetched. */
  content: bytes('content'),
  /** Why the last fetch stored nothing; null before the first, and after one that did. */
  failure: text('failure').$type<LogoFailure>(),
  requestedAt: timestampColumn('requested_at').notNull(),
})

/** The ID of the instance where a team or application has its ID. */
export const INSTANCE_LOGO = '00000000-0000-0000-0000-000000000000'
