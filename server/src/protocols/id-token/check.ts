/** The result of one check, for the report about a sign-in. */
export interface Check {
  /** Stable identifier. */
  id: string
  status: 'ok' | 'failed' | 'skipped'
  expected?: string
  /** Truncated, because the message may not be verified. */
  found?: string
  detail?: string
}

const MAX_LENGTH = 200

/** Formats a value of a message for a report. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text).toWellFormed().replaceAll('\0', '')
}
