/** Days of grace that are left, the one that has begun among them; 0 when it is over. @param moment ISO 8601 */
export function daysUntil(moment: string, now = Date.now()): number {
  return Math.max(0, Math.ceil((Date.parse(moment) - now) / 86_400_000))
}
