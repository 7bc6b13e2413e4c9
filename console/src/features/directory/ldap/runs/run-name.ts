import type { DirectoryRunSummary } from '../../../../api/contract'
import m from '../../../../messages/en/ldap-runs.json'

export const runName = ({ dryRun, mode }: Pick<DirectoryRunSummary, 'dryRun' | 'mode'>): string =>
  m.name({ kind: dryRun ? 'dryRun' : mode })

/** Returns a duration in seconds, or in minutes and seconds. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return m.seconds({ seconds: whole })
  return m.minutes({ minutes: Math.floor(whole / 60), seconds: String(whole % 60).padStart(2, '0') })
}
