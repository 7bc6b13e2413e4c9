import { check, type InferOutput, literal, null_, number, object, pipe, union } from 'valibot'
import m from '../../../messages/en/audit-retention.json'

const DAY_MS = 24 * 60 * 60_000

/** Common retentions in days, from that of most cloud services to those of financial records. */
export const PRESETS = [90, 180, 365, 730, 1_825, 2_555, 3_650]

const MIN_DAYS = 90
const MAX_DAYS = 3_650

/** Null keeps all entries. An empty string is a custom number that is missing. */
export const retentionSchema = object({
  days: pipe(
    union([null_(), literal(''), number()]),
    check(
      (days) => days === null || isValid(days),
      () => m.daysWrong(),
    ),
  ),
})

export type RetentionValues = InferOutput<typeof retentionSchema>

const isValid = (days: number | ''): days is number =>
  days !== '' && Number.isInteger(days) && days >= MIN_DAYS && days <= MAX_DAYS

/** Returns whether `days` removes entries from the log that `before` keeps. */
export const removesMore = (days: RetentionValues['days'], before: number | null): days is number =>
  days !== null && isValid(days) && (before === null || days < before)

/** Returns the time of the oldest entry that stays in the log, as ISO 8601; null if all stay, or the number is not valid. */
export const firstKept = (days: RetentionValues['days'], now = Date.now()): string | null =>
  days !== null && isValid(days) ? new Date(now - days * DAY_MS).toISOString() : null

/** Returns whether a retention is none of the common ones. */
export const isOther = (days: number | null): days is number => days !== null && !PRESETS.includes(days)
