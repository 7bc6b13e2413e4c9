import type { Actor } from '../../../platform/http/actor.js'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { StreamedResponse } from '../../../platform/http/streamed-response.js'
import { ExportQuery, presentEntry } from '../schema.js'
import { CSV_HEAD, csvLine } from './csv.js'
import { type LogFilter, type LogQuery, parseLogFilter } from './filter.js'
import { type NamedEntry, nameEntries } from './labels.js'
import { entriesBefore } from './repository.js'
import { authorizeLog, type LogDeps, type Scope } from './scope.js'
import { runLogSearch } from './wide-search.js'

export type ExportFormat = 'ndjson' | 'csv'

const FORMATS = {
  ndjson: {
    mediaType: 'application/x-ndjson',
    head: '',
    line: (entry: NamedEntry) => `${JSON.stringify(presentEntry(entry))}\n`,
  },
  csv: { mediaType: 'text/csv', head: CSV_HEAD, line: csvLine },
} as const

/** Rows per query, which bounds the memory of an export. */
const BATCH = 500

/**
 * Exports all matching entries as a file, newest first, up to the start of the export. The audit entry of the export is committed before
 * the entries are read.
 * @throws forbidden for the instance's log, invalid_request, search_too_wide
 */
export async function exportLogs(
  deps: LogDeps,
  actor: Actor,
  { format = 'ndjson', scope, ...query }: LogQuery & Scope & { format?: ExportFormat },
): Promise<StreamedResponse> {
  const teamId = authorizeLog(actor, { ...(scope && { scope }) })
  const filter = await deps.db.transaction(async (tx) => {
    const parsed = await parseLogFilter(teamId, query, (search) => deps.names.membersMatching(tx, actor.teamId, search))
    await deps.audit.record(tx, { ...actor, teamId }, 'audit.exported', {
      metadata: { format, filter: declaredFields(query, ExportQuery) },
    })
    return parsed && { ...parsed, to: Math.min(parsed.to ?? Number.POSITIVE_INFINITY, deps.clock.ms()) }
  })
  const { mediaType, head, line } = FORMATS[format]
  const nextBatch = (before: NamedEntry | undefined) =>
    runLogSearch(query, () => (filter ? readBatch(deps, actor, filter, before) : Promise.resolve([])))

  // The first batch is read before the response begins, so that an error is still a problem response.
  const first = await nextBatch(undefined)
  async function* lines() {
    if (head) yield head
    for (let batch = first; batch.length > 0; batch = batch.length < BATCH ? [] : await nextBatch(batch.at(-1)))
      yield batch.map(line).join('')
  }
  const day = new Date(deps.clock.ms()).toISOString().slice(0, 10)
  return new StreamedResponse({ mediaType, name: `audit-${day}.${format}` }, lines())
}

/** Returns the entries before `before`, newest first; undefined for the newest. */
const readBatch = (deps: LogDeps, actor: Actor, filter: LogFilter, before: NamedEntry | undefined) =>
  deps.db.transaction(async (tx) =>
    nameEntries(tx, deps.names, actor.teamId, await entriesBefore(tx, filter, before?.entry, BATCH)),
  )
