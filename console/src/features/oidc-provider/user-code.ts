/** The letters that codes are made of: none that reads like another one or like a digit, and no vowels (RFC 8628, 6.1). */
const letters = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/

/**
 * A code as somebody typed it from another screen: in small letters, with or without the dash, with spaces.
 * @returns it as the device shows it, `BCDF-GHJK`, or null for what cannot be one
 */
export function readUserCode(text: string): string | null {
  const bare = text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
  return letters.test(bare) ? `${bare.slice(0, 4)}-${bare.slice(4)}` : null
}
