import Type from 'typebox'
import { nullable, timestamp } from '../../../platform/http/schema-parts.js'
import type { Retention } from './manage-retention.js'
import type { ArchiveRow } from './repository.js'

/** The security events of an account cover 90 days: a team must not remove the traces of its acts on a user earlier. */
const MIN_DAYS = 90
const MAX_DAYS = 3_650

export const RetentionBody = Type.Object({
  days: nullable(
    Type.Integer({
      minimum: MIN_DAYS,
      maximum: MAX_DAYS,
      description:
        'Older entries are moved into archives, whole seals at a time, once in 30 days or as soon as they fill one. Null: entries stay in the log',
    }),
  ),
})

export const RetentionSetting = Type.Object(
  {
    ...RetentionBody.properties,
    removed: nullable(
      Type.Object({
        entries: Type.Integer({ description: 'Entries that were moved so far' }),
        seal: Type.Integer({ description: 'The log begins after this seal' }),
        at: timestamp(),
      }),
    ),
  },
  { $id: 'AuditRetention' },
)

export const Archive = Type.Object(
  {
    id: Type.String(),
    firstSeal: Type.Integer(),
    lastSeal: Type.Integer(),
    entries: Type.Integer(),
    from: timestamp('Time of the first entry'),
    to: timestamp('Time of the last entry'),
    size: Type.Integer({ description: 'Bytes of the file, without keys of personal data' }),
    createdAt: timestamp(),
  },
  { $id: 'AuditArchive' },
)

export const Archives = Type.Object({ data: Type.Array(Archive) })

export const presentRetention = ({ days, removed }: Retention) => ({
  days,
  removed: removed && { ...removed, at: removed.at.toISOString() },
})

export const presentArchive = ({ id, firstSeal, lastSeal, entries, firstAt, lastAt, size, createdAt }: ArchiveRow) => ({
  id,
  firstSeal,
  lastSeal,
  entries,
  from: firstAt.toISOString(),
  to: lastAt.toISOString(),
  size,
  createdAt: createdAt.toISOString(),
})
