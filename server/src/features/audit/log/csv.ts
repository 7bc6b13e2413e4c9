import type { NamedEntry } from './labels.js'

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
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  const cell = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : `${value}`
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

export const CSV_HEAD = `${Object.keys(COLUMNS).join(',')}\r\n`

export const csvLine = (entry: NamedEntry): string =>
  `${Object.values(COLUMNS)
    .map((column) => csvCell(column(entry)))
    .join(',')}\r\n`
