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

/** What a spreadsheet takes for the beginning of a formula, in the width of either alphabet (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** A cell (RFC 4180 2): quoted where it must be; an apostrophe before what a spreadsheet would execute. */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : `${value}`
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const CSV_HEAD = `${Object.keys(COLUMNS).join(',')}\r\n`

export const csvLine = (entry: NamedEntry): string =>
  `${Object.values(COLUMNS)
    .map((column) => csvCell(column(entry)))
    .join(',')}\r\n`
