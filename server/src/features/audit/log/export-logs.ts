import type { Actor } from '../../../platform/http/actor.js'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { StreamedResponse } from '../../../platform/http/streamed-response.js'
import { ExportQuery, type LogQuery, presentEntry, type Scope } from '../schema.js'
import type { LogFilter } from './filter.js'
import { type NamedEntry, nameEntries } from './labels.js'
import { entriesBefore } from './repository.js'
import { authorizeLog, type LogDeps, limitSearch, parseLogFilter } from './search-log.js'

const COLUMNS: Record<string, (named: NamedEntry) => string | number | null> = {
  id: ({ entry }) => entry.id,
  createdAt: ({ entry }) => entry.createdAt.toISOString(),
  action: ({ entry }) => entry.action,
  result: ({ entry }) => entry.result,
  userId: ({ entry }) => entry.userId,
  actorEmail: ({ actor }) => actor?.email ?? null,
  agentId: ({ entry }) => entry.agentId,
  resource: ({ entry }) => entry.resource,
  targetLabel: ({ target }) => target?.label ?? null,
  sessionId: ({ entry }) => entry.sessionId,
  country: ({ entry }) => entry.country,
  ipAddress: ({ entry }) => entry.ipAddress,
  userAgent: ({ entry }) => entry.userAgent,
  requestId: ({ entry }) => entry.requestId,
  riskScore: ({ entry }) => entry.riskScore ?? 0,
  metadata: ({ entry }) => JSON.stringify(entry.metadata),
  teamId: ({ entry }) => entry.teamId,
}

/** Characters with which a spreadsheet formula can begin, also in full width (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** Returns a cell (RFC 4180 2), quoted if necessary. A possible formula gets an apostrophe as a prefix. */
function csvCell(value: string | number | null): string {
  if (value === null) return ''
  const cell = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : `${value}`
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

const csvLine = (entry: NamedEntry): string =>
  `${Object.values(COLUMNS)
    .map((column) => csvCell(column(entry)))
    .join(',')}\r\n`

const FORMATS = {
  ndjson: {
    mediaType: 'application/x-ndjson',
    head: '',
    line: (entry: NamedEntry) => `${JSON.stringify(presentEntry(entry))}\n`,
  },
  csv: { mediaType: 'text/csv', head: `${Object.keys(COLUMNS).join(',')}\r\n`, line: csvLine },
} as const

/** Filters whose values can describe a person. */
const PERSONAL_FILTERS = ['q', 'ipAddress']
/** Names, IDs, numbers and dates; not an email address or a long text. */
const PLAIN_VALUE = /^[\w.:+-]{1,100}$/

/** Returns the filters for the entry, with `true` in place of a value that can describe a person. */
const withoutPersons = (filter: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [
      name,
      PERSONAL_FILTERS.includes(name) || !PLAIN_VALUE.test(String(value)) ? true : value,
    ]),
  )

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
  { format = 'ndjson', scope, ...query }: LogQuery & Scope & { format?: keyof typeof FORMATS },
): Promise<StreamedResponse> {
  const teamId = authorizeLog(actor, { ...(scope && { scope }) })
  const filter = await deps.db.transaction(async (tx) => {
    const parsed = await parseLogFilter(tx, deps, teamId, actor, query)
    await deps.audit.record(tx, { ...actor, teamId }, 'audit.exported', {
      metadata: { format, filter: withoutPersons(declaredFields(query, ExportQuery)) },
    })
    return parsed && { ...parsed, to: Math.min(parsed.to ?? Number.POSITIVE_INFINITY, deps.clock.ms()) }
  })
  const { mediaType, head, line } = FORMATS[format]
  const nextBatch = (before: NamedEntry | undefined) =>
    limitSearch(query, () => (filter ? readBatch(deps, actor, filter, before) : Promise.resolve([])))

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
    nameEntries(tx, deps, actor.teamId, await entriesBefore(tx, filter, before?.entry, BATCH)),
  )
