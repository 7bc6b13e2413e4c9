import type { Transaction } from '../../../platform/db/database.js'
import { readSnapshot } from '../../../platform/db/read-one-state.js'
import type { Actor } from '../../../platform/http/actor.js'
import { type AuditEntryId, parseId } from '../../../platform/ids.js'
import { rejection } from '../errors.js'
import { type LogQuery, MOST_COUNTED, type Scope } from '../schema.js'
import { endOfDay, type LogFilter } from './filter.js'
import { type NamedEntry, nameEntries } from './labels.js'
import { type AuditEntry, countByDay, countUpTo, entriesAt, findEntry, hasStoredCounts } from './repository.js'
import { authorizeLog, type LogDeps, searchLog } from './search-log.js'

interface Page {
  page: number
  limit: number
}

/**
 * Returns one page of a log, newest first, and the total number of matching entries, in one snapshot. Without stored counts, at most
 * `MOST_COUNTED` entries are counted, so that the page of a large log does not cost more than that of a small one.
 * @throws forbidden for the instance's log, invalid_request, search_too_wide
 */
export function readLogs(
  deps: LogDeps,
  actor: Actor,
  query: LogQuery & Scope & Page,
): Promise<{ entries: NamedEntry[]; total: number; totalIsExact: boolean }> {
  return searchLog(deps, actor, query, async (tx, filter) => {
    if (!filter) return { entries: [], total: 0, totalIsExact: true }
    const pageOfLog = hasStoredCounts(filter) ? pageOfDays : pageOfEntries
    const { entries, ...counts } = await pageOfLog(tx, filter, query)
    return { entries: await nameEntries(tx, deps, actor.teamId, entries), ...counts }
  })
}

interface PageOfLog {
  entries: AuditEntry[]
  total: number
  totalIsExact: boolean
}

async function pageOfEntries(tx: Transaction, filter: LogFilter, { page, limit }: Page): Promise<PageOfLog> {
  const offset = (page - 1) * limit
  const counted = await countUpTo(tx, filter, MOST_COUNTED + 1)
  const totalIsExact = counted <= MOST_COUNTED
  const entries = totalIsExact && offset >= counted ? [] : await entriesAt(tx, filter, { offset, limit })
  return { entries, total: Math.min(counted, MOST_COUNTED), totalIsExact }
}

/** Counts per day first, to find the days of the page, and scans only those. */
async function pageOfDays(tx: Transaction, filter: LogFilter, { page, limit }: Page): Promise<PageOfLog> {
  const days = await countByDay(tx, filter)
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const start = (page - 1) * limit
  if (start >= total) return { entries: [], total, totalIsExact: true }
  let before = 0
  let first: { day: string; offset: number } | undefined
  let last = ''
  for (const { day, count } of days) {
    if (!first && before + count > start) first = { day, offset: start - before }
    last = day
    before += count
    if (before >= start + limit) break
  }
  const from = Date.parse(last)
  const to = endOfDay(Date.parse(first?.day ?? last))
  const within = {
    ...filter,
    from: Math.max(from, filter.from ?? from),
    to: Math.min(to, filter.to ?? to),
  }
  return { entries: await entriesAt(tx, within, { offset: first?.offset ?? 0, limit }), total, totalIsExact: true }
}

/** @throws audit_entry_not_found, also for a malformed ID and for an entry of another log */
export async function readEntry(deps: LogDeps, actor: Actor, id: string, scope: Scope): Promise<NamedEntry> {
  const teamId = authorizeLog(actor, scope)
  const known = parseId<AuditEntryId>(id)
  return readSnapshot(deps.db, async (tx) => {
    const entry = known && (await findEntry(tx, teamId, known))
    const [named] = entry ? await nameEntries(tx, deps, actor.teamId, [entry]) : []
    if (!named) throw rejection('audit_entry_not_found')
    return named
  })
}
