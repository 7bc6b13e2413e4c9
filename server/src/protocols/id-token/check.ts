/** One thing that was looked at, for whoever wants to know why somebody was let in or was not. */
export interface Check {
  /** Stable. */
  id: string
  status: 'ok' | 'failed' | 'skipped'
  expected?: string
  /** Cut: it may be of a message that nobody has verified. */
  found?: string
  detail?: string
}

const LONGEST = 200

/** A value of a message as a report shows it. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text).toWellFormed().replaceAll('\0', '')
}
