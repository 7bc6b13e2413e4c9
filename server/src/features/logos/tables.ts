import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'

/** The reason of a failed fetch. */
export type LogoFailure = 'no_answer' | 'bad_status' | 'too_many_redirects' | 'too_large' | 'not_a_picture'

/** Fetched and requested images. */
export const logos = pgTable('logos', {
  /** ID of the team or application; `INSTANCE_LOGO` for the logo of the instance. */
  ownerId: uuid('owner_id').primaryKey(),
  /** The source of the image: if the owner's logo URL changes, the image is fetched again. */
  url: text('url').notNull(),
  mediaType: text('media_type'),
  /** Null until the image is fetched. */
  content: bytes('content'),
  /** The reason of the last failure; null before the first fetch and after a successful one. */
  failure: text('failure').$type<LogoFailure>(),
  requestedAt: timestampColumn('requested_at').notNull(),
})

/** The owner ID of the instance's logo. */
export const INSTANCE_LOGO = '00000000-0000-0000-0000-000000000000'
