import type { Place } from './country-centers.js'

/** Mean radius of the earth. */
const RADIUS_KM = 6_371

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Returns the great-circle distance in kilometers (haversine formula). */
export function distanceKm([lat1, lon1]: Place, [lat2, lon2]: Place): number {
  const across = Math.sin(radians(lat2 - lat1) / 2) ** 2
  const along = Math.sin(radians(lon2 - lon1) / 2) ** 2
  const h = across + Math.cos(radians(lat1)) * Math.cos(radians(lat2)) * along
  // Rounding may exceed 1 for antipodes.
  return 2 * RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, h)))
}
