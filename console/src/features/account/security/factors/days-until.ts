/** Returns the remaining days of grace, including the current one; 0 when the period is over. @param timestamp ISO 8601 */
export function daysUntil(moment: string, now = Date.now()): number {
  return Math.max(0, Math.ceil((Date.parse(moment) - now) / 86_400_000))
}
