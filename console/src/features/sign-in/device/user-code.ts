/** The letters of codes: none that resembles another letter or a digit, and no vowels (RFC 8628, 6.1). */
const letters = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/

/**
 * Normalizes a typed code: lowercase, spaces and a missing hyphen are accepted.
 * @returns the code as the device shows it, `BCDF-GHJK`, or null if it is invalid
 */
export function readUserCode(text: string): string | null {
  const bare = text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
  return letters.test(bare) ? `${bare.slice(0, 4)}-${bare.slice(4)}` : null
}
