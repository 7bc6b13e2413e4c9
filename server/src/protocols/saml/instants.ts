const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/

/** A time as SAML writes it (Core 1.3.3), in milliseconds; one without a zone is UTC. Undefined for anything else. */
export function readInstant(text: string | undefined): number | undefined {
  const zone = INSTANT.exec(text?.trim() ?? '')
  if (!zone) return undefined
  const instant = Date.parse(zone[1] === undefined ? `${zone[0]}Z` : zone[0])
  return Number.isNaN(instant) ? undefined : instant
}

/** How far a time lies from now: `+600 s` is ten minutes in the future. */
export function distance(instant: number, now: number): string {
  const seconds = Math.round((instant - now) / 1_000)
  return `${seconds < 0 ? '' : '+'}${seconds} s`
}

export const writeInstant = (time: number): string => new Date(time).toISOString()
